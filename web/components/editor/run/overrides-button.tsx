import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import type { ConnectionChoice } from './use-connection.ts';

/** The overrides of the connection on which a text runs, in a popover. */
export function OverridesButton({ choice }: { readonly choice: ConnectionChoice }) {
  const { name, allowedOverrides, overrides, setOverride } = choice;
  const count = Object.keys(overrides).length;
  return (
    <Popover position="bottom-start" shadow="md" width={260} trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          {count === 0 ? 'Overrides' : `Overrides: ${count}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            For runs of this text on {name}. Empty fields keep the value of the connection.
          </Text>
          {allowedOverrides.map((option) => (
            <TextInput
              key={option}
              size="xs"
              label={option}
              spellCheck={false}
              value={overrides[option] ?? ''}
              onChange={(event) => setOverride(option, event.currentTarget.value)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
