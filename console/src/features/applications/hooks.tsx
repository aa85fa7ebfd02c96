import { Webhook } from '../../fields/webhook'
import { Section } from '../../ui/section'
import { EnvVars } from './env-vars'

/** Who is asked and told about calls and messages. `stored`: how many variables the record has. */
export const Hooks = ({ stored }: { stored: number }) => (
  <>
    <Section title="Webhooks">
      <Webhook name="call_hook" label="Calling webhook" required help="Asked what to do when a call comes in." />
    </Section>
    <EnvVars stored={stored} />
    <Section>
      <Webhook
        name="call_status_hook"
        label="Call status webhook"
        required
        help="Told when a call rings, is answered and ends."
      />
    </Section>
    <Section>
      <Webhook name="messaging_hook" label="Messaging webhook" help="Asked what to do when a text message comes in." />
    </Section>
  </>
)
