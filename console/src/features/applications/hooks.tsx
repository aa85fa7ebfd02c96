import type { EnvValues } from '@trunkline/contract/telephony/app-env'
import { Webhook } from '../../fields/webhook'
import { Groups } from '../../ui/form-layout'
import { Section } from '../../ui/section'
import { EnvVars } from './env-vars'

/** Who is asked and told about calls and messages. `stored`: the variables of the record; null where they cannot be read. */
export const Hooks = ({ stored }: { stored: EnvValues | null }) => (
  <>
    <Section title="Webhooks">
      <Groups>
        <Webhook
          name="call_hook"
          label="Calling webhook"
          required
          help="Called when a call arrives; its answer controls the call."
        />
        <Webhook name="call_status_hook" label="Call status webhook" required help="Receives call status events." />
        <Webhook
          name="messaging_hook"
          label="Messaging webhook"
          help="Called when a text message arrives; its answer controls what happens."
        />
      </Groups>
    </Section>
    <EnvVars stored={stored} />
  </>
)
