import type { EventListModel, EventListProps, EventListView } from './use-event-list'

/** The number in the title, what the list shows in place of its rows, and what is open beside it. */
export const renderParts = <Row>(
  { replacement, addresses }: EventListProps<Row>,
  { list, openRow, isReplaced, replacedKey }: EventListModel<Row>,
  view: EventListView,
) => {
  if (!replacement || !isReplaced)
    return { count: list.total, content: undefined, beside: openRow ? addresses?.renderBeside(openRow) : undefined }
  const count = replacement.renderCount(view)
  return addresses?.opensBeside
    ? {
        count,
        content: replacement.render(view),
        beside: replacedKey ? replacement.renderBeside(view, replacedKey) : undefined,
      }
    : { count, content: replacement.render(view, replacedKey), beside: undefined }
}
