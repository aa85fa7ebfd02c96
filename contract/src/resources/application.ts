import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { Application, ApplicationChanges, ApplicationDraft } from '../shapes/application'
import type { WebhookTestDraft, WebhookTestResult } from '../shapes/webhook'

export const application = defineResource<Application, ApplicationDraft, ApplicationChanges>()({
  kind: 'application',
  path: '/Applications',
  key: 'application_sid',
  noun: { singular: 'application', plural: 'applications' },
  title: (row) => row.name,
})

type ListRoute = { query: ListQuery; response: Application[] | Page<Application> }

export const applicationsOfAccount = defineRoute<ListRoute>()(
  'GET',
  '/Accounts/:account_sid/Applications',
  'List the applications of an account',
)

export const applicationsOfProvider = defineRoute<ListRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Applications',
  'List the applications of a service provider',
)

/** A Trunkline addition: server capability `webhookTest`. */
export const webhookTest = defineRoute<{ body: WebhookTestDraft; response: WebhookTestResult }>()(
  'POST',
  '/Applications/:application_sid/WebhookTest',
  'Send a sample request to a webhook of an application',
  { status: 200 },
)
