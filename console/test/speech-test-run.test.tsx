import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createSpeech } from '../../server/src/adapters/speech/speech-by-vendor'
import { startSpeechVendors, vendors, withWrongSecrets } from '../../server/test/doubles/speech-vendors'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const doubles = await startSpeechVendors()
const { render, requestAs, testData } = useBackend(
  {},
  { speech: createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl, timeoutMs: 3_000 }) },
)

const { fetch } = globalThis
const soniox = vendors.soniox!
/** The paths of the test requests, and how many of them run at the same time. */
let testPaths: string[] = []
let runningCount = 0
let maxRunningCount = 0
/** Test requests wait for this. */
let released: Promise<void> = Promise.resolve()
/** What the server responds instead, by the SID of the service. */
const refusals = new Map<string, Response>()

const hold = () => {
  let release = () => {}
  released = new Promise((resolve) => (release = resolve))
  return () => release()
}

const sids: Record<string, string> = {}
const addService = async (label: string, body: object) => {
  const path = `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
  sids[label] = (await requestAs<{ sid: string }>('north', 'POST', path, { label, ...body })).sid
}

beforeAll(async () => {
  for (const number of [1, 2, 3, 4, 5]) await addService(`run ${number}`, { vendor: 'soniox', ...soniox.credential })
  await addService('run wrong', { vendor: 'soniox', ...withWrongSecrets(soniox.credential) })
  await addService('run off', { vendor: 'ibm', use_for_tts: 0, use_for_stt: 0 })
})
beforeEach(() => {
  testPaths = []
  maxRunningCount = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(requestUrl(input), 'http://console')
    if (!pathname.endsWith('/test')) return fetch(input, init)
    testPaths.push(pathname)
    maxRunningCount = Math.max(maxRunningCount, (runningCount += 1))
    await released
    const refusal = refusals.get(pathname.split('/').at(-2)!)
    const response = refusal ? refusal.clone() : await fetch(input, init)
    runningCount -= 1
    return response
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  refusals.clear()
})

const testAllButton = () => screen.findByRole('button', { name: 'Test all' })
const rowOf = (label: string) => within(screen.getByText(label).closest('tr')!)
const findSummary = (text: string | RegExp) => screen.findByText(text, { selector: '[role=status] *' })

it('tests all services that match the filters, four at a time, and shows the result of each', async () => {
  const release = hold()
  const { user } = await render('/internal/speech-services?text=run', { as: 'provider' })
  await screen.findByText('run wrong')
  const button = await testAllButton()
  expect(testPaths).toEqual([])
  await user.click(button)
  await waitFor(() => expect(screen.getAllByText('Testing', { selector: 'td *' })).toHaveLength(4))
  expect(screen.getAllByText('Waiting')).toHaveLength(2)
  expect(screen.getByRole('progressbar', { name: 'Testing' })).toBeTruthy()
  expect(screen.getByText('0 of 6')).toBeTruthy()
  expect(testPaths).toHaveLength(4)
  // a second press does not start a second run
  await user.click(button)
  release()

  await findSummary('5 of 6 passed, 1 not tested')
  expect(testPaths.map((path) => path.split('/').at(-2)).sort()).toEqual(
    Object.entries(sids)
      .flatMap(([label, sid]) => (label === 'run off' ? [] : [sid]))
      .sort(),
  )
  expect(maxRunningCount).toBe(4)
  await waitFor(() => expect(rowOf('run 1').getByText('Success', { selector: '*:not(.visually-hidden)' })).toBeTruthy())
  const reason = rowOf('run wrong').getByText(soniox.messageToUser)
  const failures = within(screen.getByRole('list', { name: 'Failed tests' }))
  expect(failures.getAllByRole('listitem')).toHaveLength(1)
  expect(failures.getByRole('listitem').textContent).toBe(`Soniox run wrong ${reason.textContent}`)
  expect(failures.getByRole('link').getAttribute('href')).toBe(`/internal/speech-services/${sids['run wrong']}/edit`)
  expect(rowOf('run off').getByText(messages.notTested)).toBeTruthy()

  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('5 of 6 passed, 1 not tested')).toBeNull()
  expect(document.activeElement).toBe(await testAllButton())
})

it('starts no further test after Cancel, and counts the running ones', async () => {
  const release = hold()
  const { user } = await render('/internal/speech-services?text=run', { as: 'provider' })
  await screen.findByText('run wrong')
  await user.click(await testAllButton())
  await waitFor(() => expect(testPaths).toHaveLength(4))
  const cancelButton = screen.getByRole('button', { name: 'Cancel' })
  await user.click(cancelButton)
  expect(screen.getByRole('progressbar', { name: 'Cancelling' })).toBeTruthy()
  expect(screen.queryByText('Waiting')).toBeNull()
  release()
  // services of one vendor are in any order, so the wrong credential may be among them
  await findSummary(/^Cancelled: [34] of 4 passed, 3 not tested$/)
  expect(testPaths).toHaveLength(4)
  // it is the same button, so the focus stays in place
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Dismiss' }))
})

it('reports a refused test with the message of the server, and continues', async () => {
  released = Promise.resolve()
  refusals.set(sids['run 2']!, Response.json({ msg: 'The server is busy.' }, { status: 503 }))
  const { user } = await render('/internal/speech-services?text=run', { as: 'provider' })
  await screen.findByText('run wrong')
  await user.click(await testAllButton())
  await findSummary('4 of 6 passed, 1 not tested')
  const failures = within(screen.getByRole('list', { name: 'Failed tests' })).getAllByRole('listitem')
  expect(failures.map(({ textContent }) => textContent).sort()).toEqual([
    'Soniox run 2 The server is busy.',
    `Soniox run wrong ${soniox.messageToUser}`,
  ])
  // the list of failures replaces the toasts
  expect(screen.getByRole('region', { name: 'Notifications' }).textContent).toBe('')
})

it('starts no further test after the user has left the screen', async () => {
  const release = hold()
  const { user, navigate } = await render('/internal/speech-services?text=run', { as: 'provider' })
  await screen.findByText('run wrong')
  await user.click(await testAllButton())
  await waitFor(() => expect(testPaths).toHaveLength(4))
  await navigate('/internal/applications')
  await screen.findByRole('heading', { level: 1, name: /^Applications/ })
  release()
  await waitFor(() => expect(runningCount).toBe(0))
  expect(testPaths).toHaveLength(4)
})

it('tests the selected services in the same way', async () => {
  released = Promise.resolve()
  const { user } = await render('/internal/speech-services?text=run', { as: 'provider' })
  await screen.findByText('run wrong')
  for (const label of ['run 1', 'run 3']) await user.click(rowOf(label).getByRole('checkbox'))
  await user.click(await screen.findByRole('button', { name: 'Test' }))
  await findSummary('2 of 2 passed')
  expect(testPaths).toHaveLength(2)
  expect(screen.queryByRole('list', { name: 'Failed tests' })).toBeNull()
})

it('tests the services of an account user with the route of the account', async () => {
  released = Promise.resolve()
  const { user } = await render('/internal/speech-services?text=run%201', { as: 'account' })
  await screen.findByText('run 1')
  await user.click(await testAllButton())
  await findSummary('1 of 1 passed')
  expect(testPaths[0]).toContain(`/Accounts/${testData().accounts.acme}/SpeechCredentials/`)
})

it('is not offered to view-only users, or if no service is listed', async () => {
  await render('/internal/speech-services?text=run', { as: 'viewer' })
  await screen.findByText('run wrong')
  expect(screen.queryByRole('button', { name: 'Test all' })).toBeNull()
  await render('/internal/speech-services?text=nothing', { as: 'provider' })
  await screen.findByText('Nothing matches these filters.')
  expect(screen.queryByRole('button', { name: 'Test all' })).toBeNull()
})
