import type { Item } from '../../../api/catalog/catalog.ts';
import { DocumentIcon } from '../../icons.tsx';
import { KIND_NAMES } from '../item/item-kinds.ts';
import { Message, MessageText } from '../item/message.tsx';
import { TextView } from './text-view.tsx';

interface AssetContentsProps {
  readonly item: Item;
  /** The line to show, from 1. */
  readonly line: number | undefined;
}

/** The content of an asset, read-only. */
export function AssetContents({ item, line }: AssetContentsProps) {
  const { content } = item.data;
  if (content === undefined) {
    return (
      <Message icon={<DocumentIcon size={28} />} title={KIND_NAMES[item.type]}>
        <MessageText>Items of this kind have no text.</MessageText>
      </Message>
    );
  }
  if (content === '') {
    return (
      <Message icon={<DocumentIcon size={28} />} title="This script is empty">
        <MessageText>It has no text yet.</MessageText>
      </Message>
    );
  }
  return <TextView key={item.path} name={item.name} content={content} line={line} />;
}
