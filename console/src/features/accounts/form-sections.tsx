import { messages as realmMessages } from '@trunkline/contract/messages/sip-realm'
import { FlagField } from '../../fields/flag-field'
import { ApplicationField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { WebhookField } from '../../fields/webhook-field'
import { Cell, Grid, Groups } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Link } from '../../ui/link'

interface GeneralSectionProps {
  /** An account user edits their own account, so the realm is read-only. */
  isOwnAccount: boolean
  /** The screen on which the user can change the realm. */
  changeRealmPath?: string
}

/** Account name, SIP realm and debug log. */
export const GeneralSection = ({ isOwnAccount, changeRealmPath }: GeneralSectionProps) => (
  <Section title="General" help="Name and SIP domain of the account.">
    <Grid>
      <Cell>
        <FormTextField name="name" label="Account name" required maxLength={64} />
      </Cell>
      <Cell>
        <FormTextField
          name="sip_realm"
          label="SIP realm"
          help={
            <>
              The domain where the SIP clients of this account register.
              {changeRealmPath ? (
                <>
                  {' '}
                  <Link href={changeRealmPath}>{realmMessages.change}</Link>
                </>
              ) : null}
            </>
          }
          mono
          readOnly={isOwnAccount}
          maxLength={132}
          placeholder="sip.example.com"
        />
      </Cell>
      <Cell span={12}>
        <FlagField
          name="enable_debug_log"
          label="Enable debug log"
          help="Logs every step of this account's calls while enabled."
        />
      </Cell>
    </Grid>
  </Section>
)

/** The account's webhooks: registration and queue events. */
export const WebhooksSection = () => (
  <Section
    title="Webhooks"
    help="HTTP requests that the platform sends to your servers. They are signed with the webhook signing secret of the account."
  >
    <Groups>
      <WebhookField
        name="registration_hook"
        label="Registration webhook"
        help="Decides whether a SIP client may register."
      />
      <WebhookField
        name="queue_event_hook"
        label="Queue event webhook"
        help="Called when a call joins or leaves a queue."
        methods={['POST']}
      />
    </Groups>
  </Section>
)

/** The applications for calls that do not arrive on a phone number. */
export const SipDevicesSection = ({ account_sid }: { account_sid: string }) => (
  <Section title="SIP clients" help="Applications that handle calls from the SIP clients of this account.">
    <Grid>
      <Cell>
        <ApplicationField
          name="device_calling_application_sid"
          label="Application for calls from SIP clients"
          noneLabel="None"
          accountSid={account_sid}
        />
      </Cell>
      <Cell>
        <ApplicationField
          name="siprec_hook_sid"
          label="Application for SIPREC calls"
          help="Handles recording sessions that a SIPREC client, such as an SBC, sends."
          noneLabel="None"
          accountSid={account_sid}
        />
      </Cell>
    </Grid>
  </Section>
)
