import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { Application, ApplicationChanges, ApplicationDraft } from '../shapes/application'

export const application = resource<Application, ApplicationDraft, ApplicationChanges>()({
  kind: 'application',
  path: '/Applications',
  key: 'application_sid',
  noun: { one: 'application', many: 'applications' },
  title: (row) => row.name,
})

type List = { query: ListQuery; answer: Application[] | Page<Application> }

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
