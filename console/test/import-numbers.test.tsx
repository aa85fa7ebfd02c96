import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { afterEach, describe, expect, it } from 'vitest'
import { startV1Server } from './v1-server'
import { useBackend, type Screen } from './render'

const { render, ask, backend, world } = useBackend()

const path = '/internal/phone-numbers/import'
const lacks = /\/(Abilities|Import)$/
let server: Awaited<ReturnType<typeof startV1Server>> | undefined

afterEach(() => {
  server?.close()
  server = undefined
})

const stored = async () => (await ask<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')).map(({ number }) => number)
const choose = async (user: Screen['user'], ...lines: string[]) =>
  user.upload(
    await screen.findByLabelText('CSV file'),
    new File([['number,carrier,account,application', ...lines].join('\n')], 'numbers.csv', { type: 'text/csv' }),
  )
const summary = (words: string) => screen.findByText(words)
const rowOf = async (number: string) => within((await screen.findByText(number)).closest('tr')!)
const press = async (user: Screen['user'], name: RegExp) => user.click(await screen.findByRole('button', { name }))

/** Records the texts of the progress bar. */
const watchProgress = () => {
  const seen: string[] = []
  const observer = new MutationObserver(() => {
    const bar = document.querySelector('progress')
    const words = bar && `${bar.hasAttribute('value') ? bar.value : 'moving'}: ${bar.parentElement?.textContent}`
    if (words && words !== seen.at(-1)) seen.push(words)
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  return { seen, stop: () => observer.disconnect() }
}

describe('with a server that saves one number at a time', () => {
  const open = async () => {
    server = await startV1Server(backend().app, undefined, lacks)
    return render(path, { as: 'provider', features: { apiBaseUrl: server.base } })
  }

  it('saves row by row, with progress and a result for each row', async () => {
    const { acme } = world()
    const { user } = await open()
    await choose(
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
    await summary('3 new · 1 updated · 2 with errors')
    expect(screen.getByText(messages.import.notAtomic)).toBeTruthy()
    expect((await rowOf('15550000012')).getByText(messages.duplicateNumber)).toBeTruthy()
    expect((await rowOf('15550007004')).getByText(messages.import.unknownRecord('carrier', 'Nobody'))).toBeTruthy()
    // another user adds one of them first
    await ask('north', 'POST', '/PhoneNumbers', {
      number: '15550007002',
      account_sid: world().accounts.acme,
      voip_carrier_sid: world().shared.north.voip_carrier,
    })
    const progress = watchProgress()
    await press(user, /Import 4 valid rows/)
    await waitFor(() => expect(screen.queryByText(messages.import.imported(2))).toBeTruthy())
    await summary('4 with errors')
    progress.stop()
    expect(progress.seen).toContain('4: 4 of 4')
    expect(progress.seen.some((words) => words.startsWith('moving'))).toBe(false)
    expect((await rowOf('15550007002')).getByText(messages.duplicateNumber)).toBeTruthy()
    expect((await rowOf('15550007003')).getByText('unknown application_sid')).toBeTruthy()
    expect(await stored()).toContain('15550007001')
    expect(await stored()).not.toContain('15550007003')
    const kept = (await ask<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')).find(
      ({ number }) => number === '15550000011',
    )
    expect(kept?.application_sid).toBeNull()
    expect(server!.asked.filter((call) => call === 'POST /PhoneNumbers')).toHaveLength(3)
    expect(server!.asked.filter((call) => call.startsWith('PUT /PhoneNumbers/'))).toHaveLength(1)
  })

  it('returns to the list once all rows are saved', async () => {
    const { user, address } = await open()
    await choose(user, '15550007011,North shared,acme,', '15550007012,North shared,acme,')
    await summary('2 new')
    await press(user, /Import 2 rows/)
    await waitFor(() => expect(address()).toBe('/internal/phone-numbers'))
    expect(await stored()).toEqual(expect.arrayContaining(['15550007011', '15550007012']))
  })
})

it('shows indeterminate progress if all rows are saved in one request', async () => {
  const { user, address } = await render(path, { as: 'provider' })
  await choose(user, '15550007021,North shared,acme,', '15550007022,North shared,acme,')
  await summary('2 new')
  const progress = watchProgress()
  await press(user, /Import 2 rows/)
  await waitFor(() => expect(address()).toBe('/internal/phone-numbers'))
  progress.stop()
  expect(progress.seen).toEqual(['moving: 2 at once'])
})

it('adds a number over one carrier only, and counts lines as an editor does', async () => {
  const { user } = await render(path, { as: 'provider' })
  await choose(user, '', '15550007031,North shared,acme,', '+1 (555) 000-7031,acme trunk,acme,')
  await summary('1 new · 1 with errors')
  const second = await rowOf('+1 (555) 000-7031')
  expect(second.getByText(messages.duplicateLine(3))).toBeTruthy()
  expect(second.getByText('4')).toBeTruthy()
})
