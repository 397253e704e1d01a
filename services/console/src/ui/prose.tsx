import { Fragment } from 'preact';

import { markdown } from '../core/markdown';
import type { Block } from '../core/markdown';
import type { Inline } from '../core/markdown-inline';
import { useWords } from './language';
import { sourceAnchor } from './sources';

interface ProseProps {
  readonly text: string;
  readonly streaming: boolean;
  readonly turnId: string;
}

/** An answer as elements; the words of a model are never anything but text within them. */
export function Prose({ text, streaming, turnId }: ProseProps) {
  return (
    <div class={streaming ? 'prose streaming' : 'prose'}>
      {markdown(text).map((block, at) => (
        <BlockView key={at} block={block} turnId={turnId} />
      ))}
    </div>
  );
}

function BlockView({ block, turnId }: { readonly block: Block; readonly turnId: string }) {
  switch (block.kind) {
    case 'paragraph':
      return <p>{lines(block.lines, turnId)}</p>;
    case 'quote':
      return <blockquote>{lines(block.lines, turnId)}</blockquote>;
    case 'heading':
      return <h3>{runs(block.content, turnId)}</h3>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{runs(item, turnId)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function lines(all: readonly (readonly Inline[])[], turnId: string) {
  return all.map((line, at) => (
    <Fragment key={at}>
      {at > 0 && <br />}
      {runs(line, turnId)}
    </Fragment>
  ));
}

function runs(all: readonly Inline[], turnId: string) {
  return all.map((run, at) => <Run key={at} run={run} turnId={turnId} />);
}

function Run({ run, turnId }: { readonly run: Inline; readonly turnId: string }) {
  const words = useWords();
  switch (run.kind) {
    case 'text':
      return run.text;
    case 'strong':
      return <strong>{run.text}</strong>;
    case 'emphasis':
      return <em>{run.text}</em>;
    case 'code':
      return <code>{run.text}</code>;
    case 'link':
      return (
        <a href={run.url} title={run.url} target="_blank" rel="noopener noreferrer nofollow">
          {run.text}
        </a>
      );
    case 'citation':
      return (
        <a
          class="citation"
          href={`#${sourceAnchor(turnId, run.number)}`}
          aria-label={words.sourceNumber(run.number)}
        >
          {run.number}
        </a>
      );
  }
}
