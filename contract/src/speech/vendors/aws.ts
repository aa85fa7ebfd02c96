import { awsRegions } from '../../cloud/aws-regions'
import type { Vendor } from '../vendor'
import { english, named } from './fields'

export const aws: Vendor = {
  vendor: 'aws',
  name: 'AWS',
  synthesis: english,
  recognition: english,
  page: { name: 'AWS IAM console', url: 'https://console.aws.amazon.com/iam/' },
  fields: [
    {
      kind: 'way',
      name: 'credential_type',
      label: 'Credential type',
      initial: 'access_key',
      options: named({
        access_key: 'Access key',
        assume_role: 'Assume role',
        instance_profile: 'Instance profile',
      }),
      told: ({ access_key_id, secret_access_key, role_arn }) => {
        if (access_key_id || secret_access_key) return 'access_key'
        return role_arn ? 'assume_role' : 'instance_profile'
      },
      lent: 'instance_profile',
      help: 'An instance profile is the identity of the machines that handle the calls.',
    },
    {
      kind: 'text',
      name: 'access_key_id',
      label: 'Access key ID',
      required: true,
      fixed: true,
      when: { credential_type: 'access_key' },
    },
    {
      kind: 'secret',
      name: 'secret_access_key',
      label: 'Secret access key',
      required: true,
      when: { credential_type: 'access_key' },
    },
    {
      kind: 'text',
      name: 'role_arn',
      label: 'Role ARN',
      required: true,
      fixed: true,
      placeholder: 'arn:aws:iam::123456789012:role/name',
      when: { credential_type: 'assume_role' },
    },
    { kind: 'choice', name: 'aws_region', label: 'Region', required: true, patient: true, options: named(awsRegions) },
  ],
  lookUp: { with: 'credential', failing: 'table' },
}
