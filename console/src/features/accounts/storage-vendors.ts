import type { BucketVendor } from '@trunkline/contract/calls/bucket'

/** The vendors of a bucket for recordings. */
export const storageVendors: { value: BucketVendor; label: string }[] = [
  { value: 'aws_s3', label: 'AWS S3' },
  { value: 's3_compatible', label: 'S3 compatible' },
  { value: 'azure', label: 'Azure Blob Storage' },
  { value: 'google', label: 'Google Cloud Storage' },
]
