import { messages } from '@trunkline/contract/messages/general'
import { SignInCard } from '../ui/sign-in-card'
import { Button } from '../ui/button'

/** Where everything ends that nobody caught. */
export const Crashed = () => (
  <SignInCard title={messages.crashed} lede="The page could not be drawn. What was saved before is saved.">
    <Button look="primary" onClick={() => window.location.reload()}>
      Reload the page
    </Button>
  </SignInCard>
)
