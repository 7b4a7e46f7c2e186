import { Progress, Text } from '@mantine/core';
import classes from './server.module.css';

interface BarProps {
  readonly label: string;
  /** The value with its maximum, in words. */
  readonly text: string;
  /** From 0 to 1; null without a maximum. */
  readonly share: number | null;
}

/** The share from which a limit is nearly reached. */
const NEARLY_FULL = 0.9;

/** A value as a bar of its maximum. */
export function Bar({ label, text, share }: BarProps) {
  const isNearlyFull = share !== null && share >= NEARLY_FULL;
  return (
    <div className={classes.bar}>
      <p className={classes.line}>
        <Text span size="sm">
          {label}
        </Text>
        <Text span size="sm" c="dimmed">
          {text}
          {isNearlyFull && ', nearly full'}
        </Text>
      </p>
      {share !== null && (
        <Progress
          value={Math.min(100, share * 100)}
          aria-label={label}
          size="sm"
          {...(isNearlyFull ? { color: 'red' } : {})}
        />
      )}
    </div>
  );
}
