/** The credentials of recording buckets: the required and optional fields of each vendor. */

export const bucketVendors = ['aws_s3', 's3_compatible', 'azure', 'google'] as const
export type BucketVendor = (typeof bucketVendors)[number]

/**
 * How the server authenticates with AWS: with an access key, by assuming a role of the bucket's owner, or with the
 * identity of its machine.
 */
export const awsCredentialTypes = ['access_key', 'assume_role', 'instance_profile'] as const
export type AwsCredentialType = (typeof awsCredentialTypes)[number]

export const defaultAwsRegion = 'us-east-1'

/** The formats of recordings. The first is the default. */
export const recordFormats = ['mp3', 'wav'] as const

export interface BucketTag {
  Key: string
  Value: string
}

/** The fields of the credentials of all vendors. Stored credentials are read as they were written. */
export interface BucketCredential {
  vendor: string
  name?: string | null
  region?: string | null
  endpoint?: string | null
  credential_type?: string | null
  access_key_id?: string | null
  secret_access_key?: string | null
  role_arn?: string | null
  service_key?: string | null
  connection_string?: string | null
  tags?: BucketTag[] | null
}

type CredentialField = Exclude<keyof BucketCredential, 'vendor'>
type MissingMessages = Partial<Record<CredentialField, string>>

export interface BucketFields {
  /** The required fields, each with the message for a missing value. */
  required: MissingMessages
  optional: readonly CredentialField[]
}

const awsName: MissingMessages = { name: 'invalid aws bucket name: name is required' }
const awsLocation: MissingMessages = { ...awsName, region: 'invalid aws bucket region: region is required' }
const awsKey: MissingMessages = {
  access_key_id: 'invalid aws S3 bucket credential: access_key_id is required',
  secret_access_key: 'invalid aws S3 bucket credential: secret_access_key is required',
}

const awsFields: Record<AwsCredentialType, BucketFields> = {
  access_key: { required: { ...awsKey, ...awsLocation }, optional: ['tags'] },
  assume_role: {
    required: { role_arn: 'invalid aws S3 bucket credential: role_arn is required', ...awsLocation },
    optional: ['credential_type', 'tags'],
  },
  instance_profile: { required: awsLocation, optional: ['credential_type', 'tags'] },
}

const fieldsByVendor: Record<Exclude<BucketVendor, 'aws_s3'>, BucketFields> = {
  s3_compatible: {
    required: { ...awsKey, ...awsName, endpoint: 'invalid endpoint uri: endpoint is required' },
    optional: ['region', 'tags'],
  },
  google: {
    required: { service_key: 'invalid google cloud storage credential: service_key is required' },
    optional: ['name', 'tags'],
  },
  azure: {
    required: {
      name: 'invalid azure container name: name is required',
      connection_string: 'invalid azure cloud storage credential: connection_string is required',
    },
    optional: ['tags'],
  },
}

const isVendor = (vendor: unknown): vendor is BucketVendor =>
  bucketVendors.some((bucketVendor) => bucketVendor === vendor)

/** The authentication type of an AWS credential. Older credentials do not have the field and contain an access key. */
export const getAwsCredentialType = ({
  credential_type,
}: Pick<BucketCredential, 'credential_type'>): AwsCredentialType =>
  awsCredentialTypes.find((type) => type === credential_type) ?? 'access_key'

/** The fields of this type of credential; undefined for an unknown vendor. */
export const getBucketFields = (
  credential: Pick<BucketCredential, 'vendor' | 'credential_type'>,
): BucketFields | undefined => {
  if (!isVendor(credential.vendor)) return undefined
  return credential.vendor === 'aws_s3'
    ? awsFields[getAwsCredentialType(credential)]
    : fieldsByVendor[credential.vendor]
}

/**
 * Whether this has the format of an AWS region: `us-east-1`. Only the format is checked, because AWS adds regions. It
 * keeps other characters out of the host name that contains the region.
 */
export const isAwsRegion = (region: string): boolean => /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region)

/** The first required field that is missing, with its message. */
export const findMissingField = (credential: BucketCredential): { field: CredentialField; msg: string } | undefined => {
  const required = Object.entries(getBucketFields(credential)?.required ?? {}) as [CredentialField, string][]
  const missingField = required.find(([field]) => !credential[field])
  return missingField && { field: missingField[0], msg: missingField[1] }
}
