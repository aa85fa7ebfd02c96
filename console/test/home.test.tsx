import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { noPlatform, type LiveCall } from '../../server/src/ports/live-platform'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

// The same calls in all tests: the server caches them for a few seconds, also from one test to the next.
const listLiveCalls = (): LiveCall[] =>
  [testData().accounts.acme, testData().accounts.bolt].map((accountSid, index) => ({
    callSid: `l-${index}`,
    accountSid,
    direction: 'inbound',
  }))
const livePlatform = {
  ...noPlatform,
  listCalls: (account_sid?: string) =>
    Promise.resolve(listLiveCalls().filter((call) => account_sid === undefined || call.accountSid === account_sid)),
}
const { render, requestAs, backend, testData } = useBackend({}, { livePlatform })

const homePath = '/internal/home'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

interface CallOptions {
  account?: 'acme' | 'bolt'
  daysAgo?: number
  agoMs?: number
  trunk?: string
  direction?: 'inbound' | 'outbound'
  /** 200 if the call was answered. */
  status?: number
}

/** A time on that day, also shortly after midnight. */
const getTimeMs = ({ daysAgo = 0, agoMs = 0 }: CallOptions) => {
  const time = new Date()
  time.setDate(time.getDate() - daysAgo)
  return Math.max(time.getTime() - agoMs, new Date(time).setHours(0, 0, 0, 0))
}

let writtenCalls = 0
const createCall = ({ account = 'acme', trunk = 'Vantage SIP', direction, status = 200, ...time }: CallOptions) => ({
  tags: {
    account_sid: testData().accounts[account],
    service_provider_sid: testData().providers.north,
    trunk,
    direction: direction ?? 'inbound',
    answered: String(status === 200),
  },
  fields: { call_sid: `c-${(writtenCalls += 1)}`, from: '16175550192', to: '18575550100', sip_status: status },
  timeNs: BigInt(getTimeMs(time)) * 1_000_000n,
})
const writeCalls = (...calls: CallOptions[]) =>
  backend().services.callHistory.writePoints('cdrs', calls.map(createCall))

const findPanel = async (title: string) => within(await screen.findByRole('region', { name: title }))
const getHref = (element: HTMLElement) => new URL(element.getAttribute('href') ?? '', 'http://console')
const findNavLink = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).queryByRole('link', { name })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('Home of a new platform', () => {
  it('shows the first steps, ticked from the records that exist', async () => {
    await render(homePath, { as: 'north' })
    const steps = await findPanel('Set up your platform')
    expect(await steps.findByText('4 of 4 done')).toBeTruthy()
    expect(steps.getByRole('img', { name: '4 of 4 done' }).dataset.warn).toBeUndefined()
    expect(steps.getByRole('heading', { name: 'Add an account (done)' })).toBeTruthy()
    expect(steps.getByRole('link', { name: /^Open acme app/ })).toBeTruthy()
    expect(await screen.findByText('Waiting for the first call')).toBeTruthy()
    for (const text of ['Calls today', 'No carrier or speech service is failing.'])
      expect(screen.queryByText(text)).toBeNull()
  })

  it('offers the next step to a provider without records, and hides the steps for good', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'Aaa new' })
    localStorage.setItem('activeServiceProvider', sid)
    const { user } = await render(homePath, { as: 'admin' })
    const steps = await findPanel('Set up your platform')
    expect(await steps.findByText('0 of 4 done')).toBeTruthy()
    expect(steps.getByRole('link', { name: 'Add account' }).getAttribute('href')).toBe('/internal/accounts/add')
    expect(steps.getByRole('link', { name: 'Import' }).getAttribute('href')).toBe('/internal/phone-numbers/import')
    await user.click(steps.getByRole('button', { name: 'Hide' }))
    const calls = await findPanel('Calls today')
    expect(calls.getByRole('link', { name: 'Calls today 0' })).toBeTruthy()
    expect(screen.queryByText('Waiting for the first call')).toBeNull()
  })

  it('shows an account user the steps of the account, and a view-only user none', async () => {
    await render(homePath, { as: 'account' })
    const steps = await findPanel('Set up your platform')
    expect(await steps.findByText('3 of 3 done')).toBeTruthy()
  })

  it('shows no steps to users who may not add anything', async () => {
    await render(homePath, { as: 'viewer' })
    await findPanel('Calls today')
    expect(screen.queryByRole('region', { name: 'Set up your platform' })).toBeNull()
  })
})

describe('Home', () => {
  it('compares today with a week ago, and links each figure to its rows', async () => {
    const { acme } = testData().accounts
    await requestAs('admin', 'POST', `/Accounts/${acme}/Limits`, { category: 'voice_call_session', quantity: 1 })
    await writeCalls({}, { status: 487 }, { account: 'bolt' }, { daysAgo: 7 }, { daysAgo: 7 })
    await render(homePath, { as: 'north' })
    const calls = await findPanel('Calls today')
    const today = calls.getByRole('link', { name: 'Calls today 3' })
    expect(getHref(today).pathname).toBe('/internal/recent-calls')
    const lastWeek = getHref(calls.getByRole('link', { name: '2 a week ago' })).searchParams.get('date') ?? ''
    const [from = '', to = ''] = lastWeek.split('/')
    expect(Date.parse(to) - Date.parse(from)).toBeLessThan(1.1 * dayMs)
    expect(Math.abs(Date.parse(to) - (Date.now() - 7 * dayMs))).toBeLessThan(70 * minuteMs)
    expect(calls.getByText('+50%')).toBeTruthy()
    const answered = calls.getByRole('link', { name: 'Answered 66.7%' })
    expect(getHref(answered).searchParams.get('status')).toBe('answered')
    expect(calls.getByText('−33.3 points')).toBeTruthy()
    const now = await calls.findByRole('link', { name: 'Calls now 2' })
    expect(getHref(now).searchParams.get('show')).toBe('live')
    const limits = await findPanel('Approaching limits')
    expect(limits.getByRole('link', { name: 'acme' }).getAttribute('href')).toBe(`/internal/accounts/${acme}`)
    const callsLink = limits.getByRole('link', { name: '1 of 1 now' })
    expect(Object.fromEntries(getHref(callsLink).searchParams)).toEqual({ show: 'live', account: acme })
    expect(limits.getByRole('img', { name: '1 of 1 concurrent calls' }).dataset.warn).toBe('true')
    expect(await screen.findByText('No carrier or speech service is failing.')).toBeTruthy()
    await waitFor(() => expect(document.title).toBe('Home · Trunkline'))
  })

  it('shows what fails, since when, and the calls behind each number', async () => {
    const failure = { trunk: 'Bluewater SIP', direction: 'outbound', status: 503 } as const
    await writeCalls(...[3, 2, 1].map((minutes) => ({ ...failure, agoMs: minutes * minuteMs })))
    const path = `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
    const speech = { vendor: 'deepgram', label: 'main', api_key: 'k' }
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', path, speech)
    await backend()
      .database.db.updateTable('speech_credentials')
      .set({ stt_tested_ok: 0 })
      .where('speech_credential_sid', '=', sid)
      .execute()
    await render(homePath, { as: 'north' })
    const carriers = await findPanel('Failing carriers')
    const statusLink = await carriers.findByRole('link', { name: '503 3 calls of Bluewater SIP' })
    expect(Object.fromEntries(getHref(statusLink).searchParams)).toMatchObject({
      trunk: 'Bluewater SIP',
      sip: '503',
      status: 'not-answered',
      direction: 'outbound',
      date: expect.stringMatching(/Z\/now$/) as string,
    })
    expect(carriers.getByText('Outbound calls fail: 503 Service Unavailable')).toBeTruthy()
    expect(carriers.getByText(/^Failing \d min$/)).toBeTruthy()
    const speechPanel = await findPanel('Failing speech services')
    expect((await speechPanel.findByRole('link', { name: 'Deepgram' })).getAttribute('href')).toContain(sid)
    expect(speechPanel.getByText(/^STT test failed/)).toBeTruthy()
    expect(screen.getByText('2 things need attention:')).toBeTruthy()
    expect(getHref(speechPanel.getByRole('link', { name: 'All failing' })).search).toBe('?test=failed')
  })

  it('shows account users only their account', async () => {
    await render(homePath, { as: 'account' })
    const calls = await findPanel('Calls today')
    // without the call of bolt and the calls of the carrier of nobody
    expect(calls.getByRole('link', { name: 'Calls today 5' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Failing carriers' })).toBeNull())
    expect(screen.queryByRole('region', { name: 'Trials ending' })).toBeNull()
  })

  it('lets a panel fail alone, and try again', async () => {
    const send = globalThis.fetch
    let isFailing = true
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      isFailing && requestUrl(input).includes('FailingCarriers')
        ? new Response(JSON.stringify({ msg: 'The call store is down' }), { status: 503 })
        : send(input, init),
    )
    const { user } = await render(homePath, { as: 'north' })
    const carriers = await findPanel('Failing carriers')
    expect((await findPanel('Calls today')).getByRole('link', { name: /^Calls today \d/ })).toBeTruthy()
    await carriers.findByText('The call store is down')
    expect(screen.queryByText('No carrier or speech service is failing.')).toBeNull()
    isFailing = false
    await user.click(await carriers.findByRole('button', { name: 'Try again' }))
    expect(await carriers.findByText('Bluewater SIP')).toBeTruthy()
  })

  it('opens after the sign-in of a user who chose so', async () => {
    const { user, currentPath, navigate } = await render(homePath, { as: 'north' })
    await findPanel('Calls today')
    await user.click(screen.getByRole('button', { name: /User menu/ }))
    const setting = await screen.findByRole('checkbox', { name: 'Open Home after sign-in', hidden: true })
    await navigate('/')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    await user.click(setting)
    await navigate('/')
    await waitFor(() => expect(currentPath()).toBe(homePath))
    await user.click(screen.getByRole('checkbox', { name: 'Open Home after sign-in', hidden: true }))
    await navigate('/')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
  })

  it('is in the command palette', async () => {
    const { user, currentPath } = await render('/internal/users', { as: 'north' })
    await screen.findByRole('heading', { level: 1, name: /^Users/ })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'home')
    await user.click(await screen.findByRole('option', { name: /^Home/ }))
    await waitFor(() => expect(currentPath()).toBe(homePath))
  })
})

describe('in front of a server without its figures', () => {
  it('Home is absent, and its URL explains why', async () => {
    const v1Server = await startV1Server(backend().app)
    try {
      const { user } = await render(homePath, { as: 'north', features: { apiBaseUrl: v1Server.apiBaseUrl } })
      expect(await screen.findByText('This server has no data for Home.')).toBeTruthy()
      await user.click(screen.getByRole('button', { name: /User menu/ }))
      await screen.findByRole('checkbox', { name: 'Compact rows', hidden: true })
      await waitFor(() => expect(findNavLink('Home')).toBeNull())
      expect(findNavLink('Alerts')).toBeTruthy()
      expect(screen.queryByRole('checkbox', { name: 'Open Home after sign-in', hidden: true })).toBeNull()
      const unknownRoutes = /CallUsage|FailingCarriers|RecentCallOverview/
      expect(v1Server.requests.filter((request) => unknownRoutes.test(request))).toEqual([])
    } finally {
      v1Server.close()
    }
  })
})
