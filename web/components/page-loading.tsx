import { Center, Loader } from '@mantine/core';

/** A page that is on its way. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
