import { awsRegions } from '../../cloud/aws-regions'
import type { Vendor } from '../vendor'
import { englishDefaults, optionsFromNames } from './fields'

export const aws: Vendor = {
  vendor: 'aws',
  name: 'AWS',
  synthesis: englishDefaults,
  recognition: englishDefaults,
  page: { name: 'AWS IAM console', url: 'https://console.aws.amazon.com/iam/' },
  fields: [
    {
      kind: 'mode',
      name: 'credential_type',
      label: 'Credential type',
      initialValue: 'access_key',
      options: optionsFromNames({
        access_key: 'Access key',
        assume_role: 'Assume role',
        instance_profile: 'Instance profile',
      }),
      derive: ({ access_key_id, secret_access_key, role_arn }) => {
        if (access_key_id || secret_access_key) return 'access_key'
        return role_arn ? 'assume_role' : 'instance_profile'
      },
      serverIdentity: 'instance_profile',
      help: 'An instance profile uses the IAM role of the voice servers.',
    },
    {
      kind: 'text',
      name: 'access_key_id',
      label: 'Access key ID',
      required: true,
      isImmutable: true,
      condition: { credential_type: 'access_key' },
    },
    {
      kind: 'secret',
      name: 'secret_access_key',
      label: 'Secret access key',
      required: true,
      condition: { credential_type: 'access_key' },
    },
    {
      kind: 'text',
      name: 'role_arn',
      label: 'Role ARN',
      required: true,
      isImmutable: true,
      placeholder: 'arn:aws:iam::123456789012:role/name',
      condition: { credential_type: 'assume_role' },
    },
    {
      kind: 'choice',
      name: 'aws_region',
      label: 'Region',
      required: true,
      requiredInFormOnly: true,
      options: optionsFromNames(awsRegions),
    },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
