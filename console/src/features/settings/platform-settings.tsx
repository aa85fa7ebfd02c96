import { SelectField } from '../../fields/select-field'
import { FlagField } from '../../fields/flag-field'
import { FormTextArea, FormTextField } from '../../fields/text-fields'
import { TtsCache } from '../../panels/tts-cache'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { createLengthOptions, type SettingsRecord } from './values'

const logLevels = [
  { value: 'info', label: 'Info' },
  { value: 'debug', label: 'Debug' },
]

const SystemSection = () => (
  <Section title="System information">
    <Grid>
      <Cell>
        <FormTextField name="system.domain_name" label="Domain name" mono maxLength={255} placeholder="example.com" />
      </Cell>
      <Cell>
        <FormTextField
          name="system.sip_domain_name"
          label="SIP domain name"
          help="The domain that SIP clients and carriers send calls to."
          mono
          maxLength={255}
          placeholder="sip.example.com"
        />
      </Cell>
      <Cell>
        <FormTextField
          name="system.monitoring_domain_name"
          label="Monitoring domain name"
          help="Address of the platform's dashboards."
          mono
          maxLength={255}
          placeholder="monitoring.example.com"
        />
      </Cell>
      <Cell>
        <SelectField
          name="system.log_level"
          label="Log level"
          help="How much the voice servers write to their logs."
          options={logLevels}
        />
      </Cell>
      <Cell span={12}>
        <FormTextArea
          name="system.private_network_cidr"
          label="Private network CIDR"
          help="Private networks, separated by commas. For calls to and from these networks, voice servers use their own private address."
          mono
          maxLength={8192}
          placeholder="10.0.0.0/8, 192.168.0.0/16"
        />
      </Cell>
    </Grid>
  </Section>
)

const PasswordPolicySection = ({ storedLength }: { storedLength: number | undefined }) => (
  <Section title="Password policy" help="Applies to all users of the platform.">
    <Grid>
      <Cell span={4}>
        <SelectField
          name="password.min_password_length"
          label="Minimum length"
          options={createLengthOptions(storedLength)}
          searchable={false}
        />
      </Cell>
      <Cell span={12}>
        <FlagField name="password.require_digit" label="Require a number" />
      </Cell>
      <Cell span={12}>
        <FlagField name="password.require_special_character" label="Require a special character" />
      </Cell>
    </Grid>
  </Section>
)

/** The settings of the whole platform. */
export const PlatformSettings = ({ platform }: Pick<SettingsRecord, 'platform'>) => (
  <>
    <SystemSection />
    <PasswordPolicySection storedLength={platform?.password.min_password_length} />
    <TtsCache />
  </>
)
