import { messages as access } from '@trunkline/contract/messages/access'
import { messages as account } from '@trunkline/contract/messages/account'
import { messages as application } from '@trunkline/contract/messages/application'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages as routing } from '@trunkline/contract/messages/lcr'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import type { TestData } from '../../server/test/test-data'
import { paths } from '../src/lib/paths'

/** An administrator, a provider user, a user of one of its accounts, and a view-only user of that account. */
export const usernames = ['admin', 'north', 'acme', 'viewer'] as const
export type Username = (typeof usernames)[number]

/** The error message, and the URL after it: unchanged, the list, or the user's start screen. */
type Refusal = [message: string, redirect: 'none' | 'list' | 'landing']

/** A screen, and the users with access to it. */
export interface ScreenAccess {
  path: (testData: TestData) => string
  listPath: string
  /** The level 1 heading of the screen. */
  heading: string
  /** Whether the screen is a form, which shows a note to view-only users. */
  isForm?: boolean
  /** The refusals of users without access. */
  refusals: Partial<Record<Username, Refusal>>
  /** Users that this row skips, because another row covers them. */
  skippedUsers?: readonly Username[]
  viewOnlyUsers?: readonly Username[]
}

type Refusals = ScreenAccess['refusals']

const refuseAccountUsers = (refusal: Refusal): Refusals => ({ acme: refusal, viewer: refusal })

const noAccess: Refusal = [general.noAccess, 'landing']
const recordGone: Refusal = [general.recordGone, 'none']
const foreignRecord: Refusal = [application.noAccess, 'landing']
const foreignSpeechService: Refusal = [speech.mayNotChange, 'list']

type AccountName = 'acme' | 'bolt' | 'corp'

/** The list, add and edit screens of one kind of record, and its page. */
interface Area {
  paths: Omit<(typeof paths)['accounts' | 'lcrs'], 'view'> & { view?: (sid: string) => string }
  headings: [list: string, add: string, edit: string]
  getSid: (testData: TestData, account: AccountName) => string
  /** The name of a record, which is the heading of its page. */
  getName?: (account: AccountName) => string
  listRefusals?: Refusals
  addRefusals?: Refusals
  /** The refusal of a record of another account, and of another provider if that differs. */
  otherAccountRefusal: Refusal
  otherProviderRefusal?: Refusal
}

const areas: Area[] = [
  {
    paths: paths.users,
    headings: ['Users', 'Add user', 'Edit user'],
    getSid: ({ users }, name) => users[name],
    otherAccountRefusal: noAccess,
  },
  {
    paths: paths.accounts,
    headings: ['Accounts', 'Add account', 'Edit account'],
    getSid: ({ accounts }, name) => accounts[name],
    getName: (name) => name,
    listRefusals: refuseAccountUsers([account.mayNotListAllAccounts, 'landing']),
    addRefusals: refuseAccountUsers(noAccess),
    otherAccountRefusal: foreignRecord,
  },
  {
    paths: paths.applications,
    headings: ['Applications', 'Add application', 'Edit application'],
    getSid: (testData, name) => testData[name].application,
    otherAccountRefusal: foreignRecord,
  },
  {
    paths: paths.clients,
    headings: ['SIP clients', 'Add SIP client', 'Edit SIP client'],
    getSid: (testData, name) => testData[name].client,
    otherAccountRefusal: [general.recordGone, 'list'],
  },
  {
    paths: paths.carriers,
    headings: ['Carriers', 'Add carrier', 'Edit carrier'],
    getSid: (testData, name) => testData[name].voip_carrier,
    getName: (name) => `${name} trunk`,
    otherAccountRefusal: [general.noAccess, 'none'],
  },
  {
    paths: paths.speech,
    headings: ['Speech services', 'Add speech service', 'Edit Speech Service'],
    getSid: (testData, name) => testData[name].speech_credential,
    otherAccountRefusal: foreignSpeechService,
  },
  {
    paths: paths.phoneNumbers,
    headings: ['Phone numbers', 'Add a phone number', 'Edit phone number'],
    getSid: (testData, name) => testData[name].phone_number,
    otherAccountRefusal: recordGone,
    // the server's message
    otherProviderRefusal: ['insufficient privileges', 'none'],
  },
  {
    paths: paths.msTeamsTenants,
    headings: ['Microsoft Teams tenants', 'Add Microsoft Teams tenant', 'Edit Microsoft Teams tenant'],
    getSid: (testData, name) => testData[name].ms_teams_tenant,
    otherAccountRefusal: recordGone,
  },
  {
    paths: paths.lcrs,
    headings: ['Outbound call routing', 'Add routing table', 'Edit routing table'],
    getSid: (testData, name) => testData[name].lcr,
    listRefusals: {
      north: [routing.mayNotListAllLcrs, 'landing'],
      ...refuseAccountUsers([routing.mayNotListAllLcrs, 'landing']),
    },
    otherAccountRefusal: noAccess,
  },
]

/** The page of a record. It is refused like the form. */
const createPages = ({ paths: { list: listPath, view }, ...area }: Area): ScreenAccess[] => {
  const { getSid, getName = () => '', otherAccountRefusal, otherProviderRefusal = otherAccountRefusal } = area
  if (!view) return []
  const createPage = (name: AccountName, options: Pick<ScreenAccess, 'refusals' | 'skippedUsers'>): ScreenAccess => ({
    path: (testData) => view(getSid(testData, name)),
    listPath,
    heading: getName(name),
    ...options,
  })
  return [
    createPage('acme', { refusals: {} }),
    createPage('bolt', { refusals: { acme: otherAccountRefusal }, skippedUsers: ['admin', 'north', 'viewer'] }),
    createPage('corp', { refusals: { north: otherProviderRefusal }, skippedUsers: ['admin', 'acme', 'viewer'] }),
  ]
}

const createAreaScreens = (area: Area): ScreenAccess[] => {
  const { otherAccountRefusal, otherProviderRefusal = otherAccountRefusal } = area
  const [listHeading, addHeading, editHeading] = area.headings
  const { list: listPath, add: addPath } = area.paths
  const editPath = (name: AccountName) => (testData: TestData) => area.paths.edit(area.getSid(testData, name))
  const editScreen = { listPath, heading: editHeading, isForm: true }
  return [
    { path: () => listPath, listPath, heading: listHeading, refusals: area.listRefusals ?? {} },
    {
      path: () => addPath,
      listPath,
      heading: addHeading,
      isForm: true,
      refusals: { viewer: noAccess, ...area.addRefusals },
    },
    {
      ...editScreen,
      path: editPath('acme'),
      // a provider user has no access to an account's LCR
      refusals: area.paths === paths.lcrs ? { north: noAccess } : {},
      viewOnlyUsers: ['viewer'],
    },
    {
      ...editScreen,
      path: editPath('bolt'),
      refusals: { acme: otherAccountRefusal },
      skippedUsers: ['admin', 'north', 'viewer'],
    },
    {
      ...editScreen,
      path: editPath('corp'),
      refusals: { north: otherProviderRefusal },
      skippedUsers: ['admin', 'acme', 'viewer'],
    },
    ...createPages(area),
  ]
}

const createScreenAccess = (path: string, heading: string, refusals: Refusals = {}): ScreenAccess => ({
  path: () => path,
  listPath: path,
  heading,
  refusals,
})

/** Every screen inside the frame, with records of the user, of another account and of another provider. */
export const screenAccessTable: ScreenAccess[] = [
  createScreenAccess(paths.home, 'Home'),
  createScreenAccess(paths.systemHealth, 'System health', {
    north: [access.mayNotSeeSystemHealth, 'landing'],
    ...refuseAccountUsers([access.mayNotSeeSystemHealth, 'landing']),
  }),
  createScreenAccess(paths.settings, 'Settings', refuseAccountUsers([general.mayNotManageSettings, 'landing'])),
  createScreenAccess(paths.recentCalls, 'Recent calls'),
  createScreenAccess(paths.captures, 'Captured SIP'),
  createScreenAccess(paths.alerts, 'Alerts'),
  ...areas.flatMap(createAreaScreens),
  {
    ...createScreenAccess(paths.phoneNumbers.import, 'Import phone numbers', { viewer: noAccess }),
    listPath: paths.phoneNumbers.list,
  },
  // accounts can view the records that their provider shares
  {
    path: ({ shared }) => paths.carriers.edit(shared.north.voip_carrier),
    listPath: paths.carriers.list,
    heading: 'Edit carrier',
    isForm: true,
    refusals: {},
    viewOnlyUsers: ['acme', 'viewer'],
  },
  {
    path: ({ shared }) => paths.speech.edit(shared.north.speech_credential),
    listPath: paths.speech.list,
    heading: 'Edit Speech Service',
    isForm: true,
    refusals: {},
    viewOnlyUsers: ['acme', 'viewer'],
  },
]
