import { ApiError } from '../api/request.ts';
import { ErrorAlert } from './error-alert.tsx';
import { LockIcon, SearchIcon } from './icons.tsx';
import { Message } from './message-page.tsx';

interface LoadErrorProps {
  /** The failure, such as “The tokens cannot be shown”. */
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** What a page shows instead of content that could not be loaded: not found, not allowed, or another error. */
export function LoadError({ title, error, onRetry }: LoadErrorProps) {
  const status = error instanceof ApiError ? error.status : null;
  if (status === 404) {
    return <Message icon={<SearchIcon size={24} />} title="Not found" text={error.message} />;
  }
  if (status === 403) {
    return (
      <Message
        icon={<LockIcon size={24} />}
        title="You do not have access"
        text={`${error.message}. An administrator can give you access.`}
      />
    );
  }
  return <ErrorAlert title={title} error={error} onRetry={onRetry} />;
}
