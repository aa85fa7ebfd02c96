import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()

const importPath = '/internal/phone-numbers/import'
const missingRoutes = /\/(Abilities|Import)$/
let v1Server: Awaited<ReturnType<typeof startV1Server>> | undefined

afterEach(() => {
  v1Server?.close()
  v1Server = undefined
  vi.restoreAllMocks()
})

const readStoredNumbers = async () =>
  (await requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')).map(({ number }) => number)
const chooseFile = async (user: UserEvent, ...lines: string[]) =>
  user.upload(
    await screen.findByLabelText('CSV file'),
    new File([['number,carrier,account,application', ...lines].join('\n')], 'numbers.csv', { type: 'text/csv' }),
  )
const findSummary = (text: string) => screen.findByText(text)
const findRow = async (number: string) => within((await screen.findByText(number)).closest('tr')!)
const clickButton = async (user: UserEvent, name: RegExp) => user.click(await screen.findByRole('button', { name }))

/** Records the texts of the progress bar. */
const watchProgress = () => {
  const progressTexts: string[] = []
  const observer = new MutationObserver(() => {
    const progressBar = document.querySelector('progress')
    const text =
      progressBar &&
      `${progressBar.hasAttribute('value') ? progressBar.value : 'moving'}: ${progressBar.parentElement?.textContent}`
    if (text && text !== progressTexts.at(-1)) progressTexts.push(text)
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  return { texts: progressTexts, stop: () => observer.disconnect() }
}

describe('with a server that saves one number at a time', () => {
  const openImport = async () => {
    v1Server = await startV1Server(backend().app, undefined, missingRoutes)
    return render(importPath, { as: 'provider', features: { apiBaseUrl: v1Server.apiBaseUrl } })
  }

  it('saves row by row, with progress and a result for each row', async () => {
    const { acme } = testData()
    const { user } = await openImport()
    await chooseFile(
      user,
      '+1 (555) 000-7001,North shared,acme,acme app',
      '15550007002,North shared,acme,',
      // a foreign application: this server refuses it only when the row is saved
      `15550007003,North shared,bolt,${acme.application}`,
      '15550007004,Nobody,acme,',
      // both exist: over the same carrier it is changed, over another one it is a duplicate
      '15550000011,acme trunk,acme,',
      '15550000012,North shared,bolt,',
    )
    await findSummary('3 to add · 1 to update · 2 with errors')
    expect(screen.getByText(messages.import.notAtomic)).toBeTruthy()
    expect((await findRow('15550000012')).getByText(messages.duplicateNumber)).toBeTruthy()
    expect((await findRow('15550007004')).getByText(messages.import.unknownRecord('carrier', 'Nobody'))).toBeTruthy()
    // another user adds one of them first
    await requestAs('north', 'POST', '/PhoneNumbers', {
      number: '15550007002',
      account_sid: testData().accounts.acme,
      voip_carrier_sid: testData().shared.north.voip_carrier,
    })
    const progress = watchProgress()
    await clickButton(user, /Import 4 valid rows/)
    await waitFor(() => expect(screen.queryByText(messages.import.imported(2))).toBeTruthy())
    await findSummary('4 with errors')
    progress.stop()
    expect(progress.texts).toContain('4: Importing4 of 4')
    expect(progress.texts.some((text) => text.startsWith('moving'))).toBe(false)
    expect((await findRow('15550007002')).getByText(messages.duplicateNumber)).toBeTruthy()
    expect((await findRow('15550007003')).getByText('unknown application_sid')).toBeTruthy()
    expect(await readStoredNumbers()).toContain('15550007001')
    expect(await readStoredNumbers()).not.toContain('15550007003')
    const updatedNumber = (await requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')).find(
      ({ number }) => number === '15550000011',
    )
    expect(updatedNumber?.application_sid).toBeNull()
    expect(v1Server!.requests.filter((request) => request === 'POST /PhoneNumbers')).toHaveLength(3)
    expect(v1Server!.requests.filter((request) => request.startsWith('PUT /PhoneNumbers/'))).toHaveLength(1)
  })

  it('returns to the list once all rows are saved', async () => {
    const { user, currentPath } = await openImport()
    await chooseFile(user, '15550007011,North shared,acme,', '15550007012,North shared,acme,')
    await findSummary('2 to add')
    await clickButton(user, /Import 2 rows/)
    await waitFor(() => expect(currentPath()).toBe('/internal/phone-numbers'))
    expect(await readStoredNumbers()).toEqual(expect.arrayContaining(['15550007011', '15550007012']))
  })
})

it('shows indeterminate progress if all rows are saved in one request', async () => {
  const { user, currentPath } = await render(importPath, { as: 'provider' })
  await chooseFile(user, '15550007021,North shared,acme,', '15550007022,North shared,acme,')
  await findSummary('2 to add')
  const progress = watchProgress()
  await clickButton(user, /Import 2 rows/)
  await waitFor(() => expect(currentPath()).toBe('/internal/phone-numbers'))
  progress.stop()
  expect(progress.texts).toEqual(['moving: Importing2 in one step'])
})

it('adds a number over one carrier only, and counts lines as an editor does', async () => {
  const { user } = await render(importPath, { as: 'provider' })
  await chooseFile(user, '', '15550007031,North shared,acme,', '+1 (555) 000-7031,acme trunk,acme,')
  await findSummary('1 to add · 1 with errors')
  const secondRow = await findRow('+1 (555) 000-7031')
  expect(secondRow.getByText(messages.duplicateLine(3))).toBeTruthy()
  expect(secondRow.getByText('4')).toBeTruthy()
})

it.each([
  ['the check', 'nothing'],
  ['the import', 'all'],
])('returns to the file with the error if %s fails, and can be tried again', async (_, failingWrite) => {
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const isFailing = typeof init?.body === 'string' && init.body.includes(`"write":"${failingWrite}"`)
    return isFailing ? Response.json({ msg: 'out of disk' }, { status: 500 }) : send(input, init)
  })
  const number = `1555000704${failingWrite.length}`
  const { user, currentPath } = await render(importPath, { as: 'provider' })
  await chooseFile(user, `${number},North shared,acme,`)
  if (failingWrite === 'all') await clickButton(user, /Import 1 row/)
  const fileInput = await screen.findByLabelText<HTMLInputElement>('CSV file')
  await waitFor(() => expect(fileInput.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('out of disk')).toBeTruthy()
  expect(fileInput.disabled).toBe(false)
  expect(fileInput.files?.[0]?.name).toBe('numbers.csv')
  expect(screen.queryByRole('progressbar')).toBeNull()
  vi.restoreAllMocks()
  await clickButton(user, /Try again/)
  await clickButton(user, /Import 1 row/)
  await waitFor(() => expect(currentPath()).toBe('/internal/phone-numbers'))
  expect(await readStoredNumbers()).toContain(number)
})
