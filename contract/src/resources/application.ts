import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { Application, ApplicationChanges, ApplicationDraft } from '../shapes/application'
import type { WebhookTestDraft, WebhookTestResult } from '../shapes/webhook'

export const application = resource<Application, ApplicationDraft, ApplicationChanges>()({
  kind: 'application',
  path: '/Applications',
  key: 'application_sid',
  noun: { singular: 'application', plural: 'applications' },
  title: (row) => row.name,
})

type List = { query: ListQuery; response: Application[] | Page<Application> }

export const applicationsOfAccount = route<List>()(
  'GET',
  '/Accounts/:account_sid/Applications',
  'List the applications of an account',
)

export const applicationsOfProvider = route<List>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Applications',
  'List the applications of a service provider',
)

/** A Trunkline addition: server capability `webhookTest`. */
export const webhookTest = route<{ body: WebhookTestDraft; response: WebhookTestResult }>()(
  'POST',
  '/Applications/:application_sid/WebhookTest',
  'Send a sample request to a webhook of an application',
  { status: 200 },
)
