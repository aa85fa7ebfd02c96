import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { Account, AccountChanges, AccountDraft } from '../shapes/account'
import type { BucketDraft, BucketTest } from '../shapes/bucket'

export const account = defineResource<Account, AccountDraft, AccountChanges>()({
  kind: 'account',
  path: '/Accounts',
  key: 'account_sid',
  noun: { singular: 'account', plural: 'accounts' },
  title: (row) => row.name,
})

export const accountsOfProvider = defineRoute<{ query: ListQuery; response: Account[] | Page<Account> }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Accounts',
  'List the accounts of a service provider',
)

export const webhookSecret = defineRoute<{ query: { regenerate?: string }; response: { webhook_secret: string } }>()(
  'GET',
  '/Accounts/:account_sid/WebhookSecret',
  'Read the webhook signing secret of an account, or generate a new one',
)

export const bucketCredentialTest = defineRoute<{ body: BucketDraft; response: BucketTest }>()(
  'POST',
  '/Accounts/:account_sid/BucketCredentialTest',
  'Test whether recordings can be written to a bucket, read from it and deleted',
  { status: 200 },
)
