import { messages } from '@trunkline/contract/messages/general'
import { landingOf } from '../../session/landing'
import { useActor } from '../../session/session'
import { NotFoundView } from '../../ui/not-found-view'

/** Shown for an unknown URL inside the console. */
export const InternalNotFound = () => (
  <NotFoundView title="Not found" message={messages.noPage} href={landingOf(useActor())} link="Go to the start page" />
)
