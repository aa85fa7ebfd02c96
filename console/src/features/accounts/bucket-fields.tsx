import { awsRegions } from '@trunkline/contract/cloud/aws-regions'
import type { AwsCredentialType, BucketCredential } from '@trunkline/contract/calls/bucket'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useFormContext } from 'react-hook-form'
import { Choice } from '../../fields/choice-field'
import { ServiceKeyFile } from '../../fields/file-field'
import { ReadOnlyContext } from '../../fields/form-facts'
import { Secret } from '../../fields/secret-field'
import { Text } from '../../fields/text-fields'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { savedSecret } from './bucket-values'
import type { AccountValues } from './values'

interface PartProps {
  stored: BucketCredential | null
  account_sid: string
}

const useBucket = () => useFormContext<AccountValues>().watch('bucket_credential')

/**
 * Shows the first letters of a saved secret. Servers return a short secret without a mask; it is shown as dots only.
 */
const hintOf = (saved: string) => (/X{2,}$/.test(saved) ? saved.replace(/X+$/, dots) : saved && dots)
const dots = '••••••••'

const Name = ({ label }: { label: string }) => (
  <Cell>
    <Text name="bucket_credential.name" label={label} required mono maxLength={255} />
  </Cell>
)

/** A secret that may already be saved. A saved one shows its first letters and may stay empty. */
const SavedSecret = ({ part, label, stored, wide }: Pick<PartProps, 'stored'> & SavedSecretProps) => {
  const saved = savedSecret(useBucket(), stored, part)
  const readOnly = useContext(ReadOnlyContext)
  return (
    <Cell span={wide ? 12 : 6}>
      <Secret
        name={`bucket_credential.${part}`}
        label={label}
        required={!saved}
        placeholder={hintOf(saved)}
        help={saved && readOnly ? 'Saved.' : undefined}
        instruction={saved ? 'Saved. Leave empty to keep it.' : undefined}
        maxLength={3000}
      />
    </Cell>
  )
}

interface SavedSecretProps {
  part: 'secret_access_key' | 'connection_string'
  label: string
  wide?: boolean
}

const AccessKey = ({ stored }: Pick<PartProps, 'stored'>) => (
  <>
    <Cell>
      <Text name="bucket_credential.access_key_id" label="Access key ID" required mono maxLength={255} />
    </Cell>
    <SavedSecret part="secret_access_key" label="Secret access key" stored={stored} />
  </>
)

const types: { value: AwsCredentialType; label: string }[] = [
  { value: 'access_key', label: 'Access key' },
  { value: 'assume_role', label: 'Assume role' },
  { value: 'instance_profile', label: 'Instance profile' },
]

/**
 * The AWS authentication method. Some servers support access keys only, and some offer the server's own identity to
 * administrators only.
 */
const CredentialType = ({ stored }: Pick<PartProps, 'stored'>) => {
  const actor = useActor()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const allowed = ({ value }: { value: AwsCredentialType }) =>
    value === 'access_key' ||
    value === stored?.credential_type ||
    (capabilities.awsRoles && (value !== 'instance_profile' || actor.scope === 'admin'))
  return (
    <Cell>
      <Choice
        name="bucket_credential.credential_type"
        label="Credential type"
        required
        options={types.filter(allowed)}
        help={capabilities.awsRoles ? undefined : 'This server signs in to AWS with an access key only.'}
      />
    </Cell>
  )
}

const regions = Object.entries(awsRegions).map(([value, label]) => ({ value, label: `${label} ${value}` }))

const Aws = ({ stored, account_sid }: PartProps) => {
  const { region, credential_type } = useBucket()
  const known = region === '' || region in awsRegions ? regions : [{ value: region, label: region }, ...regions]
  return (
    <>
      <Name label="Bucket name" />
      <Cell>
        <Choice name="bucket_credential.region" label="Region" required options={known} />
      </Cell>
      <Cell span={12}>
        <Grid>
          <CredentialType stored={stored} />
        </Grid>
      </Cell>
      {credential_type === 'access_key' ? <AccessKey stored={stored} /> : null}
      {credential_type === 'assume_role' ? (
        <Cell span={12}>
          <Text
            name="bucket_credential.role_arn"
            label="Role ARN"
            required
            mono
            maxLength={2048}
            placeholder="arn:aws:iam::123456789012:role/recordings"
            instruction={`The role must trust this server. It may require the external ID ${account_sid}.`}
          />
        </Cell>
      ) : null}
    </>
  )
}

const Compatible = ({ stored }: PartProps) => (
  <>
    <Cell span={12}>
      <Text
        name="bucket_credential.endpoint"
        label="Endpoint"
        required
        mono
        maxLength={1024}
        placeholder="https://s3.example.com"
      />
    </Cell>
    <Name label="Bucket name" />
    <Cell>
      <Text
        name="bucket_credential.region"
        label="Region"
        instruction="Leave empty if the storage has no regions."
        mono
        maxLength={64}
      />
    </Cell>
    <AccessKey stored={stored} />
  </>
)

const Azure = ({ stored }: PartProps) => (
  <>
    <Name label="Container name" />
    <SavedSecret part="connection_string" label="Connection string" stored={stored} wide />
  </>
)

const Google = ({ stored }: PartProps) => {
  const saved = savedSecret(useBucket(), stored, 'service_key')
  return (
    <>
      <Name label="Bucket name" />
      <Cell span={12}>
        <ServiceKeyFile name="bucket_credential.service_key" label="Service key file" required={!saved} saved={saved} />
      </Cell>
    </>
  )
}

const fieldsOf: Record<string, (props: PartProps) => React.ReactNode> = {
  aws_s3: Aws,
  s3_compatible: Compatible,
  azure: Azure,
  google: Google,
}

/** The fields that the chosen vendor needs. */
export const BucketFields = (props: PartProps) => {
  const Fields = fieldsOf[useBucket().vendor ?? '']
  return Fields ? <Fields {...props} /> : null
}
