import { awsRegions } from '@trunkline/contract/cloud/aws-regions'
import type { AwsCredentialType, BucketCredential } from '@trunkline/contract/calls/bucket'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { ServiceKeyField } from '../../fields/file-field'
import { ReadOnlyContext } from '../../fields/field-registry'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { getSavedSecret } from './bucket-values'
import type { AccountValues } from './values'

interface BucketFieldProps {
  storedBucket: BucketCredential | null
  account_sid: string
}

const useBucketValues = () => useFormContext<AccountValues>().watch('bucket_credential')

const maskDots = '••••••••'

/** Keeps the first letters of a saved secret. Servers return a short secret without a mask; it becomes dots only. */
const formatSecretPlaceholder = (maskedValue: string) =>
  /X{2,}$/.test(maskedValue) ? maskedValue.replace(/X+$/, maskDots) : maskedValue && maskDots

const BucketNameField = ({ label }: { label: string }) => (
  <Cell>
    <FormTextField name="bucket_credential.name" label={label} required mono maxLength={255} />
  </Cell>
)

interface SavedSecretFieldProps {
  field: 'secret_access_key' | 'connection_string'
  label: string
  storedBucket: BucketCredential | null
  isWide?: boolean
}

/** A secret that may already be saved. A saved one shows its first letters, and its field may stay empty. */
const SavedSecretField = ({ field, label, storedBucket, isWide }: SavedSecretFieldProps) => {
  const maskedValue = getSavedSecret(useBucketValues(), storedBucket, field)
  const readOnly = useContext(ReadOnlyContext)
  return (
    <Cell span={isWide ? 12 : 6}>
      <SecretField
        name={`bucket_credential.${field}`}
        label={label}
        required={!maskedValue}
        placeholder={formatSecretPlaceholder(maskedValue)}
        help={maskedValue && readOnly ? 'Saved.' : undefined}
        instruction={maskedValue ? 'Saved. Leave empty to keep it.' : undefined}
        maxLength={3000}
      />
    </Cell>
  )
}

const AccessKeyFields = ({ storedBucket }: Pick<BucketFieldProps, 'storedBucket'>) => (
  <>
    <Cell>
      <FormTextField name="bucket_credential.access_key_id" label="Access key ID" required mono maxLength={255} />
    </Cell>
    <SavedSecretField field="secret_access_key" label="Secret access key" storedBucket={storedBucket} />
  </>
)

const credentialTypes: { value: AwsCredentialType; label: string }[] = [
  { value: 'access_key', label: 'Access key' },
  { value: 'assume_role', label: 'Assume role' },
  { value: 'instance_profile', label: 'Instance profile' },
]

/**
 * The AWS authentication method. Some servers support only access keys, and some let only administrators select the
 * server's instance profile.
 */
const CredentialTypeField = ({ storedBucket }: Pick<BucketFieldProps, 'storedBucket'>) => {
  const actor = useActor()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const isAllowed = ({ value }: { value: AwsCredentialType }) =>
    value === 'access_key' ||
    value === storedBucket?.credential_type ||
    (capabilities.awsRoles && (value !== 'instance_profile' || actor.scope === 'admin'))
  return (
    <Cell>
      <SelectField
        name="bucket_credential.credential_type"
        label="Credential type"
        required
        options={credentialTypes.filter(isAllowed)}
        help={capabilities.awsRoles ? undefined : 'This server supports only access keys for AWS.'}
      />
    </Cell>
  )
}

const awsRegionOptions = Object.entries(awsRegions).map(([value, label]) => ({ value, label: `${label} ${value}` }))

const AwsFields = ({ storedBucket, account_sid }: BucketFieldProps) => {
  const { region, credential_type } = useBucketValues()
  const regionOptions =
    region === '' || region in awsRegions ? awsRegionOptions : [{ value: region, label: region }, ...awsRegionOptions]
  return (
    <>
      <BucketNameField label="Bucket name" />
      <Cell>
        <SelectField name="bucket_credential.region" label="Region" required options={regionOptions} />
      </Cell>
      <Cell span={12}>
        <Grid>
          <CredentialTypeField storedBucket={storedBucket} />
        </Grid>
      </Cell>
      {credential_type === 'access_key' ? <AccessKeyFields storedBucket={storedBucket} /> : null}
      {credential_type === 'assume_role' ? (
        <Cell span={12}>
          <FormTextField
            name="bucket_credential.role_arn"
            label="Role ARN"
            required
            mono
            maxLength={2048}
            placeholder="arn:aws:iam::123456789012:role/recordings"
            instruction={`The role must trust this server. You can require the external ID ${account_sid} in its trust policy.`}
          />
        </Cell>
      ) : null}
    </>
  )
}

const S3CompatibleFields = ({ storedBucket }: BucketFieldProps) => (
  <>
    <Cell span={12}>
      <FormTextField
        name="bucket_credential.endpoint"
        label="Endpoint"
        required
        mono
        maxLength={1024}
        placeholder="https://s3.example.com"
      />
    </Cell>
    <BucketNameField label="Bucket name" />
    <Cell>
      <FormTextField
        name="bucket_credential.region"
        label="Region"
        instruction="Leave empty if the storage has no regions."
        mono
        maxLength={64}
      />
    </Cell>
    <AccessKeyFields storedBucket={storedBucket} />
  </>
)

const AzureFields = ({ storedBucket }: BucketFieldProps) => (
  <>
    <BucketNameField label="Container name" />
    <SavedSecretField field="connection_string" label="Connection string" storedBucket={storedBucket} isWide />
  </>
)

const GoogleFields = ({ storedBucket }: BucketFieldProps) => {
  const maskedValue = getSavedSecret(useBucketValues(), storedBucket, 'service_key')
  return (
    <>
      <BucketNameField label="Bucket name" />
      <Cell span={12}>
        <ServiceKeyField
          name="bucket_credential.service_key"
          label="Service key file"
          required={!maskedValue}
          storedKey={maskedValue}
        />
      </Cell>
    </>
  )
}

const fieldsByVendor: Record<string, (props: BucketFieldProps) => React.ReactNode> = {
  aws_s3: AwsFields,
  s3_compatible: S3CompatibleFields,
  azure: AzureFields,
  google: GoogleFields,
}

/** The fields that the chosen vendor needs. */
export const BucketFields = (props: BucketFieldProps) => {
  const Fields = fieldsByVendor[useBucketValues().vendor ?? '']
  return Fields ? <Fields {...props} /> : null
}
