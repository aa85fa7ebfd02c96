import { messages as account } from '@trunkline/contract/messages/account'
import { messages as application } from '@trunkline/contract/messages/application'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages as routing } from '@trunkline/contract/messages/lcr'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import type { World } from '../../server/test/world'
import { paths } from '../src/lib/paths'

/** An administrator, a provider user, a user of one of its accounts, and a view-only user of that account. */
export const people = ['admin', 'north', 'acme', 'viewer'] as const
export type Who = (typeof people)[number]

/** The error message, and the URL that follows: unchanged, the list, or the user's start page. */
type Refusal = [sentence: string, to: 'here' | 'list' | 'landing']

export interface Page {
  path: (world: World) => string
  list: string
  /** The level 1 heading of the screen. */
  h1: string
  /** Whether the screen is a form, which shows a note to view-only users. */
  form?: boolean
  /** Users without access to the screen. */
  refused: Partial<Record<Who, Refusal>>
  /** Users that this row skips, because another row covers them. */
  aside?: readonly Who[]
  /** Users with view-only access. */
  visibleTo?: readonly Who[]
}

const tenants = (refusal: Refusal) => ({ acme: refusal, viewer: refusal })
const noAccess: Refusal = [general.noAccess, 'landing']

type Tenant = 'acme' | 'bolt' | 'corp'

interface Area {
  at: (typeof paths)['users']
  titles: [list: string, add: string, edit: string]
  sid: (world: World, tenant: Tenant) => string
  /** Users without access to the list. */
  list?: Page['refused']
  add?: Page['refused']
  /** The refusal of a record of another account, and of another provider if that differs. */
  foreign: Refusal
  afar?: Refusal
}

const goneRefusal: Refusal = [general.recordGone, 'here']
const elsewhere: Refusal = [application.noAccess, 'landing']
const notTheirs: Refusal = [speech.mayNotChange, 'list']

const areas: Area[] = [
  {
    at: paths.users,
    titles: ['Users', 'Add user', 'Edit user'],
    sid: ({ users }, tenant) => users[tenant],
    foreign: noAccess,
  },
  {
    at: paths.accounts,
    titles: ['Accounts', 'Add account', 'Edit account'],
    sid: ({ accounts }, tenant) => accounts[tenant],
    list: tenants([account.mayNotManageAll, 'landing']),
    add: tenants(noAccess),
    foreign: elsewhere,
  },
  {
    at: paths.applications,
    titles: ['Applications', 'Add application', 'Edit application'],
    sid: (records, tenant) => records[tenant].application,
    foreign: elsewhere,
  },
  {
    at: paths.clients,
    titles: ['SIP clients', 'Add SIP client', 'Edit SIP client'],
    sid: (records, tenant) => records[tenant].client,
    foreign: [general.recordGone, 'list'],
  },
  {
    at: paths.carriers,
    titles: ['Carriers', 'Add carrier', 'Edit carrier'],
    sid: (records, tenant) => records[tenant].voip_carrier,
    foreign: [general.noAccess, 'here'],
  },
  {
    at: paths.speech,
    titles: ['Speech services', 'Add speech service', 'Edit Speech Service'],
    sid: (records, tenant) => records[tenant].speech_credential,
    foreign: notTheirs,
  },
  {
    at: paths.phoneNumbers,
    titles: ['Phone numbers', 'Add a phone number', 'Edit phone number'],
    sid: (records, tenant) => records[tenant].phone_number,
    foreign: goneRefusal,
    // the server's message
    afar: ['insufficient privileges', 'here'],
  },
  {
    at: paths.msTeamsTenants,
    titles: ['Microsoft Teams tenants', 'Add Microsoft Teams tenant', 'Edit Microsoft Teams tenant'],
    sid: (records, tenant) => records[tenant].ms_teams_tenant,
    foreign: goneRefusal,
  },
  {
    at: paths.routing,
    titles: ['Outbound call routing', 'Add outbound call routes', 'Edit outbound call routes'],
    sid: (records, tenant) => records[tenant].lcr,
    list: { north: [routing.mayNotManageAll, 'landing'], ...tenants([routing.mayNotManageAll, 'landing']) },
    foreign: noAccess,
  },
]

const inArea = ({ at, titles, sid, list = {}, add = {}, foreign, afar = foreign }: Area): Page[] => {
  const edit = (tenant: Tenant) => (records: World) => at.edit(sid(records, tenant))
  const form = { list: at.list, h1: titles[2], form: true }
  return [
    { path: () => at.list, list: at.list, h1: titles[0], refused: list },
    { path: () => at.add, list: at.list, h1: titles[1], form: true, refused: { viewer: noAccess, ...add } },
    // a provider user has no access to an account's LCR
    { ...form, path: edit('acme'), refused: at === paths.routing ? { north: noAccess } : {}, visibleTo: ['viewer'] },
    { ...form, path: edit('bolt'), refused: { acme: foreign }, aside: ['admin', 'north', 'viewer'] },
    { ...form, path: edit('corp'), refused: { north: afar }, aside: ['admin', 'acme', 'viewer'] },
  ]
}

const alone = (path: string, h1: string, refused: Page['refused'] = {}): Page => ({
  path: () => path,
  list: path,
  h1,
  refused,
})

/** Every screen inside the frame, with the user's own records and foreign ones of another account and another provider. */
export const pages: Page[] = [
  alone(paths.settings, 'Settings', tenants([general.mayNotManageSettings, 'landing'])),
  alone(paths.recentCalls, 'Recent calls'),
  alone(paths.captures, 'Captured SIP'),
  alone(paths.alerts, 'Alerts'),
  ...areas.flatMap(inArea),
  { ...alone(paths.phoneNumbers.import, 'Import phone numbers', { viewer: noAccess }), list: paths.phoneNumbers.list },
  // accounts can view the records that their provider shares
  {
    path: ({ shared }) => paths.carriers.edit(shared.north.voip_carrier),
    list: paths.carriers.list,
    h1: 'Edit carrier',
    form: true,
    refused: {},
    visibleTo: ['acme', 'viewer'],
  },
  {
    path: ({ shared }) => paths.speech.edit(shared.north.speech_credential),
    list: paths.speech.list,
    h1: 'Edit Speech Service',
    form: true,
    refused: {},
    visibleTo: ['acme', 'viewer'],
  },
]
