import type { EnvValues } from '@trunkline/contract/telephony/app-env'
import { Groups } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { EnvVars } from './env-vars'
import { TestableWebhook } from './webhook-test'

interface WebhooksSectionProps {
  /** Absent until the application is saved. */
  application_sid: string | undefined
  /** The stored variables; null if they are unreadable. */
  storedVariables: EnvValues | null
}

/** The webhooks for calls and messages. */
export const WebhooksSection = ({ application_sid, storedVariables }: WebhooksSectionProps) => (
  <>
    <Section title="Webhooks">
      <Groups>
        <TestableWebhook
          application_sid={application_sid}
          name="call_hook"
          label="Calling webhook"
          required
          help="Called when a call arrives. Its response controls the call."
        />
        <TestableWebhook
          application_sid={application_sid}
          name="call_status_hook"
          label="Call status webhook"
          required
          help="Receives call status events."
        />
        <TestableWebhook
          application_sid={application_sid}
          name="messaging_hook"
          label="Messaging webhook"
          help="Called when a text message arrives. Its response controls what happens."
        />
      </Groups>
    </Section>
    <EnvVars storedVariables={storedVariables} />
  </>
)
