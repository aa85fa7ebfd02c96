import { screen, waitFor, within } from '@testing-library/react'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { localValues } from '../src/lib/storage'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const numbers = ['15550004001', '15550004002', '15550004003'] as const

const addNumber = (number: string) =>
  requestAs('north', 'POST', '/PhoneNumbers', {
    number,
    account_sid: testData().accounts.acme,
    voip_carrier_sid: testData().shared.north.voip_carrier,
  })

/** Adds the numbers, and compiles the screens before the tests, so that they do not time out on a busy machine. */
beforeAll(async () => {
  for (const number of numbers) await addNumber(number)
  await Promise.all(screens.filter(({ path }) => /phone-numbers|carriers/.test(path)).map(({ load }) => load()))
})

/** Opens the list with only these numbers, with the focus on the page. */
const openList = async () => {
  const rendered = await render('/internal/phone-numbers?text=1555000400', { as: 'provider' })
  await screen.findByText('Total: 3 records')
  return rendered
}

const focusedText = () => document.activeElement?.textContent.replaceAll(' ', '')
const findCheckbox = (number: string) => screen.findByLabelText<HTMLInputElement>(`Select ${number}`)

describe('the keys of a list', () => {
  it('j, k and the arrows move between the rows, from anywhere on the screen', async () => {
    const { user } = await openList()
    await user.keyboard('j')
    expect(focusedText()).toContain('4001')
    await user.keyboard('jj')
    expect(focusedText()).toContain('4003')
    await user.keyboard('j')
    expect(focusedText()).toContain('4003')
    await user.keyboard('k')
    expect(focusedText()).toContain('4002')
    await user.keyboard('{ArrowUp}')
    expect(focusedText()).toContain('4001')
  })

  it('enter the rows where the focus last was, also from the filter', async () => {
    const { user } = await openList()
    await user.keyboard('jj')
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    await user.keyboard('{ArrowDown}')
    expect(focusedText()).toContain('4002')
  })

  it('x selects, and nothing happens without a row', async () => {
    const { user } = await openList()
    await user.keyboard('x')
    expect(screen.queryByText('1 selected')).toBeNull()
    await user.keyboard('jjx')
    await screen.findByText('1 selected')
    expect((await findCheckbox(numbers[1])).checked).toBe(true)
    // the keys also work on the checkbox of a row, which is not a field
    ;(await findCheckbox(numbers[1])).focus()
    await user.keyboard('jx')
    await screen.findByText('2 selected')
    expect((await findCheckbox(numbers[2])).checked).toBe(true)
  })

  it('e edits, and the focus returns to the row', async () => {
    const { user, currentPath } = await openList()
    await user.keyboard('jje')
    const rows = await requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')
    const { phone_number_sid } = rows.find(({ number }) => number === numbers[1])!
    await waitFor(() => expect(currentPath()).toBe(`/internal/phone-numbers/${phone_number_sid}/edit`))
    await user.click(await screen.findByText('Cancel'))
    await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('4002'))
  })

  it('Enter on a checkbox opens its row', async () => {
    const { user, currentPath } = await openList()
    ;(await findCheckbox(numbers[0])).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(currentPath()).toMatch(/phone-numbers\/[\w-]{36}$/))
  })

  it('# asks before it deletes, and the next row takes the place of the deleted one', async () => {
    const { user } = await openList()
    await user.keyboard('jj#')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('(555) 000-4002')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Total: 2 records')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await user.keyboard('j')
    expect(focusedText()).toContain('4003')
    await addNumber(numbers[1])
  })

  it('c opens the form for a new record', async () => {
    const { user, currentPath } = await openList()
    await user.keyboard('c')
    await waitFor(() => expect(currentPath()).toBe('/internal/phone-numbers/add'))
  })

  it('are plain letters in a field', async () => {
    const { user, currentPath } = await openList()
    await user.keyboard('/')
    await user.keyboard('{End}cgcj')
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('1555000400cgcj')
    expect(currentPath()).toMatch(/^\/internal\/phone-numbers/)
  })
})

describe('g and a letter', () => {
  it('open a screen, and a mistyped letter does nothing', async () => {
    const { user, currentPath } = await openList()
    await user.keyboard('gc')
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    await screen.findByRole('heading', { level: 1, name: /Carriers/ })
    await user.keyboard('gj')
    expect(document.activeElement?.closest('tr') ?? null).toBeNull()
    await user.keyboard('gn')
    await waitFor(() => expect(currentPath()).toBe('/internal/phone-numbers'))
  })
})

describe('shortcuts of one character', () => {
  it('can be turned off, which survives the sign-out', async () => {
    const { user, currentPath } = await openList()
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(dialog.textContent).toContain('Phone numbersGN')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: /User menu/ }))
    const setting = await screen.findByRole('checkbox', { name: 'Single-key shortcuts', hidden: true })
    await user.click(setting)
    setting.blur()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('jgc?/')
    expect(document.activeElement?.closest('tr') ?? null).toBeNull()
    expect(currentPath()).toMatch(/^\/internal\/phone-numbers/)
    expect(screen.queryByRole('dialog')).toBeNull()
    // keys with a modifier and the arrow keys still work
    ;(await findCheckbox(numbers[0])).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.closest('tr')?.textContent).toContain('4002')
    await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }))
    await screen.findByLabelText('Username')
    expect(Object.values(JSON.parse(localValues.userSettings.get() ?? '') as object)).toEqual([{ singleKeys: false }])
    localValues.userSettings.clear()
  })
})
