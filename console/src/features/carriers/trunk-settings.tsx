import { messages } from '@trunkline/contract/messages/voip-carrier'
import { trunkTypes } from '@trunkline/contract/telephony/gateways'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import type { CarrierValues } from './values'

const trunkTypeOptions = trunkTypes.map((value) => ({ value, label: messages.trunk[value] }))

const dtmfOptions = [
  { value: 'rfc2833', label: 'RFC 2833' },
  { value: 'tones', label: 'Tones' },
  { value: 'info', label: 'SIP INFO' },
]

const helpByTrunkType: Record<string, string> = {
  static_ip: 'The carrier is recognized by the addresses its calls come from.',
  auth: 'The carrier authenticates inbound calls with a username and password.',
  reg: 'The platform registers with the carrier. Inbound calls arrive over that registration.',
}

/** How the carrier is identified on inbound calls, and the SIP settings for it. */
export const TrunkSettings = ({ readOnly }: { readOnly: boolean }) => {
  const { watch, formState, trigger } = useFormContext<CarrierValues>()
  const [trunkType, dtmfType, outboundProxy] = watch(['trunk_type', 'dtmf_type', 'outbound_sip_proxy'])
  const hasErrors = (['inbound_auth_username', 'inbound_auth_password', 'outbound_sip_proxy'] as const).some(
    (name) => formState.errors[name] !== undefined,
  )
  return (
    <Section
      title="Trunk"
      collapsible
      hasContent={trunkType !== 'static_ip' || dtmfType !== 'rfc2833' || Boolean(outboundProxy)}
      hasError={hasErrors}
      summary={trunkTypeOptions.find(({ value }) => value === trunkType)?.label ?? ''}
    >
      <Grid>
        <Cell>
          <SelectField
            name="trunk_type"
            label="Trunk type"
            options={trunkTypeOptions}
            help={helpByTrunkType[trunkType]}
            // the trunk type determines which gateways are required
            onSelect={() => (formState.errors.gateways ? void trigger('gateways') : undefined)}
          />
        </Cell>
        <Cell>
          <SelectField name="dtmf_type" label="DTMF type" options={dtmfOptions} help="How DTMF digits are sent." />
        </Cell>
        {trunkType === 'auth' ? (
          <>
            <Cell>
              <FormTextField name="inbound_auth_username" label="Inbound username" mono maxLength={64} />
            </Cell>
            {/* view-only users do not need the password */}
            {readOnly ? null : (
              <Cell>
                <SecretField name="inbound_auth_password" label="Inbound password" maxLength={64} />
              </Cell>
            )}
          </>
        ) : null}
        <Cell>
          <FormTextField
            name="outbound_sip_proxy"
            label="Outbound SIP proxy"
            help="Outbound calls go through this proxy instead of directly to the gateway."
            mono
            maxLength={255}
          />
        </Cell>
      </Grid>
    </Section>
  )
}
