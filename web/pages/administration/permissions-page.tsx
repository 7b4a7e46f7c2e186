import { Button, Group, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_COLUMNS } from '../../api/administration/permissions.ts';
import type { PermissionsSearch } from '../../api/administration/permissions-search.ts';
import { getName, listAncestors } from '../../api/catalog/catalog-paths.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { EveryonePanel } from '../../components/administration/permissions/everyone-panel.tsx';
import { ExplainPanel } from '../../components/administration/permissions/explain-panel.tsx';
import { CONNECTIONS, Matrix } from '../../components/administration/permissions/matrix.tsx';
import classes from '../../components/administration/permissions/page.module.css';
import { ReviewPanel } from '../../components/administration/permissions/review-panel.tsx';
import {
  type CollectedChanges,
  useChanges,
} from '../../components/administration/permissions/use-changes.ts';
import { printCounted } from '../../components/catalog/view/print-size.ts';
import { GroupPicker } from '../../components/group-picker.tsx';
import { UsersIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message-page.tsx';
import { notify } from '../../components/notify.ts';
import { UserPicker } from '../../components/user-picker.tsx';

const route = getRouteApi('/signed-in/administration/permissions');
const EVERYONE = 'everyone';

/** The levels of chosen subjects, for administrators (docs/reference/permissions.md#levels-of-several-subjects). */
export function PermissionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const changes = useChanges();
  const [isReviewing, setReviewing] = useState(false);
  const change = (changed: PermissionsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { subject: subjects = [EVERYONE], under, open: opened = [] } = search;
  const add = (subject: string) => {
    if (subjects.includes(subject)) return;
    if (subjects.length >= MAX_COLUMNS) notify(`Choose at most ${MAX_COLUMNS} users and groups`);
    else change({ subject: [...subjects, subject] });
  };
  const toggle = (target: string) =>
    change({
      open: opened.includes(target) ? opened.filter((one) => one !== target) : [...opened, target],
    });
  return (
    <AdministrationPage
      title="Permissions"
      actions={
        <Actions
          onShow={(show) => {
            setReviewing(false);
            change({ show, user: undefined, target: undefined });
          }}
        />
      }
      panel={
        isReviewing && changes.list.length > 0 ? (
          <ReviewPanel
            changes={changes.list}
            onClose={() => setReviewing(false)}
            onApplied={() => {
              setReviewing(false);
              changes.clear();
            }}
          />
        ) : (
          <AddressPanel search={search} onChange={change} />
        )
      }
    >
      <Subjects subjects={subjects} onAdd={add} />
      <Place under={under} />
      {changes.list.length > 0 && (
        <Collected changes={changes} isReviewing={isReviewing} onReview={() => setReviewing(true)} />
      )}
      {subjects.length === 0 ? (
        <div className={classes.message}>
          <Message
            icon={<UsersIcon size={24} />}
            title="Choose users or groups"
            text="Each becomes a column with its levels."
          >
            <Button onClick={() => add(EVERYONE)}>Show everyone</Button>
          </Message>
        </div>
      ) : (
        <Matrix
          subjects={subjects}
          under={under}
          opened={opened}
          onToggle={toggle}
          onExplain={() => setReviewing(false)}
          onRemove={(subject) => change({ subject: subjects.filter((one) => one !== subject) })}
          changes={changes}
        />
      )}
    </AdministrationPage>
  );
}

function Actions({ onShow }: { readonly onShow: (show: PermissionsSearch['show']) => void }) {
  return (
    <>
      <Button variant="default" onClick={() => onShow('everyone')}>
        What everyone can see
      </Button>
      <Button variant="default" onClick={() => onShow('explain')}>
        Can someone see it?
      </Button>
    </>
  );
}

interface AddressPanelProps {
  readonly search: PermissionsSearch;
  readonly onChange: (changed: PermissionsSearch) => void;
}

/** The panel that the address names. */
function AddressPanel({ search: { show, user, target }, onChange }: AddressPanelProps) {
  const close = () => onChange({ show: undefined, user: undefined, target: undefined });
  if (show === 'everyone') return <EveryonePanel onClose={close} />;
  if (show !== 'explain') return null;
  return (
    <ExplainPanel
      user={user}
      target={target}
      onAsk={(asked, path) => onChange({ user: asked, target: path })}
      onClose={close}
    />
  );
}

interface SubjectsProps {
  readonly subjects: readonly string[];
  readonly onAdd: (subject: string) => void;
}

/** The fields that add columns. */
function Subjects({ subjects, onAdd }: SubjectsProps) {
  const groups = subjects.flatMap((subject) =>
    subject.startsWith('group:') ? subject.slice('group:'.length) : [],
  );
  return (
    <div className={classes.toolbar}>
      <UserPicker
        label="Add a user"
        isLabelHidden
        placeholder="Add a user"
        value={null}
        onChange={(name) => onAdd(`user:${name}`)}
      />
      <GroupPicker
        label="Add a group"
        placeholder="Add a group"
        value={null}
        without={groups}
        onChange={(name) => name !== null && onAdd(`group:${name}`)}
      />
      {!subjects.includes(EVERYONE) && (
        <Button variant="default" onClick={() => onAdd(EVERYONE)}>
          Add everyone
        </Button>
      )}
    </div>
  );
}

/** Where the matrix is, with a link to each folder above. */
function Place({ under }: { readonly under: string | undefined }) {
  if (under === undefined) return null;
  const above = under === CONNECTIONS ? [] : listAncestors(under);
  return (
    <nav aria-label="Folder">
      <ol className={classes.place}>
        <PlaceLink name="All" under={undefined} />
        {above.map((path) => (
          <PlaceLink key={path} name={getName(path)} under={path} />
        ))}
        <li aria-current="page">{under === CONNECTIONS ? 'Connections' : getName(under)}</li>
      </ol>
    </nav>
  );
}

function PlaceLink({ name, under }: { readonly name: string; readonly under: string | undefined }) {
  return (
    <li>
      <Link
        from="/administration/permissions"
        to="/administration/permissions"
        search={(before) => ({ ...before, under, open: undefined })}
        className={classes.link}
      >
        {name}
      </Link>
    </li>
  );
}

interface CollectedProps {
  readonly changes: CollectedChanges;
  readonly isReviewing: boolean;
  readonly onReview: () => void;
}

/** The number of collected changes, and what can be done with them. */
function Collected({ changes, isReviewing, onReview }: CollectedProps) {
  return (
    <Group className={classes.collected} gap="sm" role="region" aria-label="Collected changes">
      <Text size="sm">{printCounted(changes.list.length, 'change')}, not applied yet</Text>
      <Button size="xs" variant="subtle" onClick={changes.clear}>
        Discard
      </Button>
      <Button size="xs" disabled={isReviewing} onClick={onReview}>
        Review and apply
      </Button>
    </Group>
  );
}
