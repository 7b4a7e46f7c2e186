import { Kbd, Modal, Table, Title } from '@mantine/core';
import { listShortcuts, printKeys } from './shortcuts.ts';

/** The list of shortcuts, as a dialog. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Shortcuts" size="lg" centered>
      {listShortcuts().map(([group, shortcuts]) => (
        <section key={group} aria-label={group}>
          <Title order={3} fz="sm" mt="md" mb="xs">
            {group}
          </Title>
          <Table>
            <Table.Tbody>
              {shortcuts.map((shortcut) => (
                <Table.Tr key={shortcut.keys}>
                  <Table.Td>{shortcut.label}</Table.Td>
                  <Table.Td w={150}>
                    <Kbd style={{ whiteSpace: 'nowrap' }}>{printKeys(shortcut)}</Kbd>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </Modal>
  );
}
