import { Center, Loader } from '@mantine/core';

/** The placeholder of a page that is loading. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
