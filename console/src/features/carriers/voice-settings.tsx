import { messages as phoneNumberMessages } from '@trunkline/contract/messages/phone-number'
import type { Ref } from 'react'
import { useFormContext } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { AccountField, ApplicationField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { getFeatureFlags } from '../../lib/feature-flags'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import css from './side-column.module.css'
import { GatewayTable, type GatewayTableHandle } from './gateway-table'
import { TrunkSettings } from './trunk-settings'
import type { RemoveStoredGateway } from './use-gateway-rows'
import type { CarrierValues } from './values'

interface SectionProps {
  readOnly: boolean
}

const CallsSection = () => {
  const actor = useActor()
  const { watch, setValue } = useFormContext<CarrierValues>()
  const accountSid = watch('account_sid')
  const clearApplication = () => setValue('application_sid', null, { shouldDirty: true })
  return (
    <Section title="Calls">
      <Grid>
        {actor.scope === 'account' ? null : (
          <Cell>
            <AccountField name="account_sid" label="Used by" noneLabel="All accounts" onSelect={clearApplication} />
          </Cell>
        )}
        {getFeatureFlags().defaultTrunkRouting || actor.scope === 'admin' ? (
          <Cell>
            <ApplicationField
              name="application_sid"
              label="Default application"
              noneLabel="None"
              placeholder={phoneNumberMessages.chooseApplication}
              accountSid={accountSid}
              help={accountSid ? 'Answers calls to numbers without an application.' : undefined}
              instruction="Choose an account under Used by first."
            />
          </Cell>
        ) : null}
        <Cell>
          <FormTextField
            name="tech_prefix"
            label="Tech prefix"
            help="Digits added in front of every outbound number."
            mono
            maxLength={16}
          />
        </Cell>
        <Cell>
          <FormTextField
            name="diversion"
            label="SIP Diversion header"
            help="Number shown as the forwarding party on outbound calls."
            placeholder="+16175550100"
            mono
            maxLength={32}
          />
        </Cell>
        <Cell span={12}>
          <FlagField
            name="e164_leading_plus"
            label="E.164 syntax"
            help="Prepends a leading + to numbers sent to this carrier."
          />
        </Cell>
      </Grid>
    </Section>
  )
}

const useHasErrors = (...names: (keyof CarrierValues)[]) => {
  const { formState } = useFormContext<CarrierValues>()
  return names.some((name) => formState.errors[name] !== undefined)
}

/** Returns whether the platform registers with the carrier. A registration trunk always does. */
const useIsRegistering = () => {
  const { watch } = useFormContext<CarrierValues>()
  const [trunkType, isRegisterRequired] = watch(['trunk_type', 'requires_register'])
  return trunkType === 'reg' || Boolean(isRegisterRequired)
}

const AuthenticationSection = ({ readOnly }: SectionProps) => {
  const { watch } = useFormContext<CarrierValues>()
  const [username, password] = watch(['register_username', 'register_password'])
  const isRegistering = useIsRegistering()
  return (
    <Section
      title="Outbound authentication"
      help="Credentials for the carrier's authentication challenges."
      collapsible
      hasContent={Boolean(username || password) || isRegistering}
      hasError={useHasErrors('register_username', 'register_password')}
      summary={username || password ? 'Filled in' : 'None'}
    >
      <Grid>
        <Cell>
          <FormTextField name="register_username" label="Auth username" mono maxLength={64} required={isRegistering} />
        </Cell>
        {/* view-only users do not need the password */}
        {readOnly ? null : (
          <Cell>
            <SecretField name="register_password" label="Auth password" maxLength={64} required={isRegistering} />
          </Cell>
        )}
      </Grid>
    </Section>
  )
}

const RegistrationSection = () => {
  const { watch } = useFormContext<CarrierValues>()
  const isRegistrationTrunk = watch('trunk_type') === 'reg'
  const isRegistering = useIsRegistering()
  return (
    <Section
      title="Registration"
      collapsible
      hasContent={isRegistering}
      hasError={useHasErrors('register_sip_realm', 'register_from_user', 'register_from_domain')}
      summary={isRegistering ? 'On' : 'Off'}
    >
      <Grid>
        <Cell span={12}>
          {isRegistrationTrunk ? (
            <p className={css.muted}>A registration trunk always registers.</p>
          ) : (
            <FlagField
              name="requires_register"
              label="Require SIP Register"
              help="Registers with the carrier and keeps the registration alive, so the carrier knows where to send calls."
            />
          )}
        </Cell>
        {isRegistering ? (
          <>
            <Cell>
              <FormTextField
                name="register_sip_realm"
                label="SIP realm"
                help="The domain in which the carrier accepts registrations."
                required
                mono
                maxLength={64}
              />
            </Cell>
            <Cell>
              <FormTextField
                name="register_from_user"
                label="Username"
                help="User in the From header, if different from the auth username."
                mono
                maxLength={128}
              />
            </Cell>
            <Cell>
              <FormTextField
                name="register_from_domain"
                label="SIP from domain"
                help="Domain in the From header, if different from the SIP realm."
                mono
                maxLength={255}
              />
            </Cell>
            <Cell alignWithInput>
              <FlagField name="register_public_ip_in_contact" label="Use public IP in contact" />
            </Cell>
          </>
        ) : null}
      </Grid>
    </Section>
  )
}

interface VoiceSettingsProps extends SectionProps {
  /** The carrier is stored, not new. */
  isStored: boolean
  gatewayTable: Ref<GatewayTableHandle>
  onRemoveStored: RemoveStoredGateway
}

/** The voice settings of a carrier. */
export const VoiceSettings = ({ readOnly, isStored, gatewayTable, onRemoveStored }: VoiceSettingsProps) => (
  <>
    <GatewayTable ref={gatewayTable} readOnly={readOnly} isStored={isStored} onRemoveStored={onRemoveStored} />
    <CallsSection />
    <AuthenticationSection readOnly={readOnly} />
    <RegistrationSection />
    <TrunkSettings readOnly={readOnly} />
  </>
)
