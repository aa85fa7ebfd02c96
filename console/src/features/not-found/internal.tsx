import { messages } from '@trunkline/contract/messages/general'
import { getLandingPath } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { NotFoundView } from '../../ui/shell/not-found-view'

/** Shown for an unknown URL inside the console. */
export const InternalNotFound = () => (
  <NotFoundView
    title="Not found"
    message={messages.screenNotFound}
    href={getLandingPath(useActor())}
    linkLabel="Go to the start screen"
  />
)
