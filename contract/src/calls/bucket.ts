/** What a bucket for recordings is, as data: each vendor's parts, what it cannot do without, what of it is secret. */

export const bucketVendors = ['aws_s3', 's3_compatible', 'azure', 'google'] as const
export type BucketVendor = (typeof bucketVendors)[number]

/** How the server shows AWS who it is: with a key, in a role of the bucket's owner, or as the machine it runs on. */
export const awsCredentialTypes = ['access_key', 'assume_role', 'instance_profile'] as const
export type AwsCredentialType = (typeof awsCredentialTypes)[number]

export const defaultAwsRegion = 'us-east-1'

/** How recordings are encoded; the first unless said. */
export const recordFormats = ['mp3', 'wav'] as const

export interface BucketTag {
  Key: string
  Value: string
}

/** The parts of a credential, whatever its vendor; stored ones are read as they were written. */
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

export interface BucketForm {
  /** The parts that must be there, with the words for one that is missing. */
  required: MissingMessages
  optional: readonly CredentialField[]
}

const awsName: MissingMessages = { name: 'invalid aws bucket name: name is required' }
const awsLocation: MissingMessages = { ...awsName, region: 'invalid aws bucket region: region is required' }
const awsKey: MissingMessages = {
  access_key_id: 'invalid aws S3 bucket credential: access_key_id is required',
  secret_access_key: 'invalid aws S3 bucket credential: secret_access_key is required',
}

const awsForms: Record<AwsCredentialType, BucketForm> = {
  access_key: { required: { ...awsKey, ...awsLocation }, optional: ['tags'] },
  assume_role: {
    required: { role_arn: 'invalid aws S3 bucket credential: role_arn is required', ...awsLocation },
    optional: ['credential_type', 'tags'],
  },
  instance_profile: { required: awsLocation, optional: ['credential_type', 'tags'] },
}

const formsByVendor: Record<Exclude<BucketVendor, 'aws_s3'>, BucketForm> = {
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

const isVendor = (vendor: unknown): vendor is BucketVendor => bucketVendors.some((each) => each === vendor)

/** How a credential of AWS signs in. One that does not say brings a key, as all did once. */
export const awsCredentialType = ({ credential_type }: Pick<BucketCredential, 'credential_type'>): AwsCredentialType =>
  awsCredentialTypes.find((each) => each === credential_type) ?? 'access_key'

/** What a credential of this kind is made of; undefined for an unknown vendor. */
export const bucketForm = (
  credential: Pick<BucketCredential, 'vendor' | 'credential_type'>,
): BucketForm | undefined => {
  if (!isVendor(credential.vendor)) return undefined
  return credential.vendor === 'aws_s3' ? awsForms[awsCredentialType(credential)] : formsByVendor[credential.vendor]
}

/** Regions are named alike everywhere: `us-east-1`. New ones come, so only the form counts; the name becomes part of a host's. */
export const isAwsRegion = (region: string): boolean => /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region)

/** The first required part that a credential lacks, and the words for it. */
export const findMissingField = (credential: BucketCredential): { field: CredentialField; msg: string } | undefined => {
  const required = Object.entries(bucketForm(credential)?.required ?? {}) as [CredentialField, string][]
  const missing = required.find(([field]) => !credential[field])
  return missing && { field: missing[0], msg: missing[1] }
}
