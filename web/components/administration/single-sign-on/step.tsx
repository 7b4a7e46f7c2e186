import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckIcon } from '../../icons.tsx';
import { Section } from '../../section.tsx';

/** The state of a step. */
type StepState = 'done' | 'to do' | 'optional';

interface StepProps {
  readonly title: string;
  readonly description: string;
  readonly state: StepState;
  /** The state in words, where they say more. */
  readonly stateText?: string;
  readonly children: ReactNode;
}

/** A step of the set-up, with its state. */
export function Step({ title, description, state, stateText = state, children }: StepProps) {
  return (
    <Section
      title={title}
      description={description}
      action={
        <Badge
          variant="default"
          tt="none"
          leftSection={state === 'done' ? <CheckIcon size={12} /> : undefined}
        >
          {stateText}
        </Badge>
      }
    >
      {children}
    </Section>
  );
}
