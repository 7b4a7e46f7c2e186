import { SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useStore } from '../../../api/store.ts';
import { SidePanel } from '../../side-panel.tsx';
import classes from './side.module.css';
import { chooseOffered, createSide, type Side, SideContext, type SideOffers } from './side-context.ts';
import { SIDE_PARTS, type SidePart } from './side-search.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useSide } from './use-side.ts';

const LABELS: Readonly<Record<SidePart, string>> = {
  value: 'Value',
  summary: 'Summary',
  filter: 'Filter',
  chart: 'Chart',
  sql: 'SQL',
};

/** What the page shows, and on its right the panel with the details of the results. */
export function SideFrame({ children }: { readonly children: ReactNode }) {
  const [side] = useState(createSide);
  const { part } = useSide();
  return (
    <SideContext value={side}>
      <div className={classes.frame}>
        {children}
        {part !== null && <ResultsSide side={side} wanted={part} />}
      </div>
    </SideContext>
  );
}

interface ResultsSideProps {
  readonly side: Side;
  readonly wanted: SidePart;
}

/** The panel: one part, and a switch to the others that are offered. */
function ResultsSide({ side, wanted }: ResultsSideProps) {
  useFocusBack();
  const offers = useStore(side.offers);
  const request = useStore(side.requests);
  const { change, close } = useSide();
  const shown = chooseOffered(wanted, offers);
  // The focus is for the part that was asked for, not for the one that it replaces.
  const served = request.part === wanted ? request.count : request.count - 1;
  const offer = shown === null ? undefined : offers[shown];
  return (
    <SidePanel title={offer?.title ?? 'Details'} onClose={close} request={served}>
      <PartSwitch offers={offers} shown={shown} onChange={change} />
      {offer?.content ?? (
        <Text size="sm" c="dimmed">
          There are no rows to describe. Run a statement that returns rows.
        </Text>
      )}
    </SidePanel>
  );
}

interface PartSwitchProps {
  readonly offers: SideOffers;
  readonly shown: SidePart | null;
  readonly onChange: (part: SidePart) => void;
}

function PartSwitch({ offers, shown, onChange }: PartSwitchProps) {
  const offered = SIDE_PARTS.filter((part) => offers[part] !== undefined);
  if (shown === null || offered.length < 2) return null;
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mb="md"
      transitionDuration={0}
      aria-label="Show in the panel"
      data={offered.map((value) => ({ value, label: LABELS[value] }))}
      value={shown}
      onChange={onChange}
    />
  );
}
