import type { EventListModel, EventListProps, EventListView } from './use-event-list'

/** What the list shows in place of its rows, and what is open beside it. */
export const renderParts = <Row>(
  { replacement, addresses }: EventListProps<Row>,
  { openRow, isReplaced, replacedKey }: EventListModel<Row>,
  view: EventListView,
) => {
  if (!replacement || !isReplaced)
    return { content: undefined, beside: openRow ? addresses?.renderBeside(openRow) : undefined }
  return addresses?.opensBeside
    ? {
        content: replacement.render(view),
        beside: replacedKey ? replacement.renderBeside(view, replacedKey) : undefined,
      }
    : { content: replacement.render(view, replacedKey), beside: undefined }
}
