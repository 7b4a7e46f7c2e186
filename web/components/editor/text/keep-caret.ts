import { EditorView, ViewPlugin } from '@codemirror/view';

/** Keeps the caret in view when the text gets less room, for example because results open below it. */
export const keepCaretInView = ViewPlugin.define((view) => {
  const { scrollDOM } = view;
  let height = scrollDOM.clientHeight;
  const isWithin = (room: number) => {
    const { top, bottom } = view.lineBlockAt(view.state.selection.main.head);
    const { scrollTop } = scrollDOM;
    return top >= scrollTop && bottom + view.documentPadding.top <= scrollTop + room;
  };
  const observer = new ResizeObserver(() => {
    const before = height;
    height = scrollDOM.clientHeight;
    if (height === 0 || height >= before || !isWithin(before) || isWithin(height)) return;
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'nearest' }) });
  });
  observer.observe(scrollDOM);
  return { destroy: () => observer.disconnect() };
});
