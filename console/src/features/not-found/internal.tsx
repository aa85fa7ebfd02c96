import { messages } from '@trunkline/contract/messages/general'
import { landingPathOf } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { NotFoundView } from '../../ui/shell/not-found-view'

/** Shown for an unknown URL inside the console. */
export const InternalNotFound = () => (
  <NotFoundView
    title="Not found"
    message={messages.pageNotFound}
    href={landingPathOf(useActor())}
    link="Go to the start page"
  />
)
