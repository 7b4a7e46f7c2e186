import { ActionIcon, Box, Group, Paper, Stack, Table, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ListedToken } from '../api/tokens.ts';
import { Facts } from './facts.tsx';
import { TrashIcon } from './icons.tsx';
import { TimeText } from './time-text.tsx';
import { TokenEnds, TokenExpiry, TokenName, TokenUse } from './token-facts.tsx';

interface TokenListProps {
  readonly tokens: readonly ListedToken[];
  /** Whether to show the owner. */
  readonly withOwner: boolean;
  readonly onDelete: (token: ListedToken) => void;
}

/** Tokens, as a table on wide screens. */
export function TokenList(props: TokenListProps) {
  const isWide = useMediaQuery('(min-width: 56em)', true, { getInitialValueInEffect: false });
  return isWide ? <TokenTable {...props} /> : <TokenCards {...props} />;
}

function TokenTable({ tokens, withOwner, onDelete }: TokenListProps) {
  return (
    <Paper withBorder radius="lg" style={{ overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover aria-label="Tokens">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Token</Table.Th>
            {withOwner && <Table.Th>Owner</Table.Th>}
            <Table.Th>Created</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th w={56} aria-label="Delete" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td maw={320}>
                <TokenName token={token} />
              </Table.Td>
              <Table.Td>
                <TokenEnds token={token} />
              </Table.Td>
              {withOwner && <Table.Td>{token.owner}</Table.Td>}
              <Table.Td>
                <TimeText value={token.created_at} />
              </Table.Td>
              <Table.Td>
                <TokenExpiry token={token} />
              </Table.Td>
              <Table.Td>
                <TokenUse token={token} />
              </Table.Td>
              <Table.Td>
                <DeleteButton token={token} onDelete={onDelete} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function TokenCards({ tokens, withOwner, onDelete }: TokenListProps) {
  return (
    <Stack component="ul" gap="sm" p={0} m={0} aria-label="Tokens" style={{ listStyle: 'none' }}>
      {tokens.map((token) => (
        <Paper component="li" key={token.id} withBorder radius="lg" p="md">
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <div>
              <TokenName token={token} />
            </div>
            <DeleteButton token={token} onDelete={onDelete} />
          </Group>
          <Box mt="sm">
            <Facts facts={printFacts(token, withOwner)} />
          </Box>
        </Paper>
      ))}
    </Stack>
  );
}

function printFacts(token: ListedToken, withOwner: boolean) {
  return {
    Token: <TokenEnds token={token} />,
    Created: <TimeText value={token.created_at} />,
    Expires: <TokenExpiry token={token} />,
    'Last used': <TokenUse token={token} />,
    ...(withOwner ? { Owner: token.owner } : {}),
  };
}

function DeleteButton({
  token,
  onDelete,
}: { readonly token: ListedToken } & Pick<TokenListProps, 'onDelete'>) {
  return (
    <Tooltip label="Delete" openDelay={400}>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`Delete the token ${token.name}`}
        onClick={() => onDelete(token)}
      >
        <TrashIcon />
      </ActionIcon>
    </Tooltip>
  );
}
