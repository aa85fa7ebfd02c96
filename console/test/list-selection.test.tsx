import { screen, waitFor, within } from '@testing-library/react'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { beforeAll, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

/** More than a page of 25, together with the numbers of the test data. */
const addedNumbers = Array.from({ length: 30 }, (_, index) => `1555000${2000 + index}`)

beforeAll(async () => {
  const { accounts, shared } = testData()
  for (const number of addedNumbers)
    await requestAs('north', 'POST', '/PhoneNumbers', {
      number,
      account_sid: accounts.acme,
      voip_carrier_sid: shared.north.voip_carrier,
    })
})

const findCheckbox = (number: string) => screen.findByLabelText<HTMLInputElement>(`Select ${number}`)
const listNumbers = () => requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers')
const deleteNumber = async (number: string) => {
  const row = (await listNumbers()).find((candidate) => candidate.number === number)
  await requestAs('north', 'DELETE', `/PhoneNumbers/${row!.phone_number_sid}`)
}

it('offers to select the matching rows of all pages until all of them are selected', async () => {
  const { user } = await render('/internal/phone-numbers?text=15550002', { as: 'provider' })
  await user.click(await findCheckbox(addedNumbers[0]!))
  await user.click(await screen.findByText('Select all 30 that match'))
  await screen.findByText('30 selected')
  expect(screen.queryByText(/that match$/)).toBeNull()
  await user.click(await findCheckbox(addedNumbers[0]!))
  await screen.findByText('29 selected')
  await user.click(screen.getByText('Select all 30 that match'))
  await screen.findByText('30 selected')
  // other filters show rows that are not selected
  await user.click(screen.getByRole('button', { name: 'Clear filter' }))
  await screen.findByText(/^Select all 3\d that match$/)
})

it('deselects rows that were deleted, here or by another user, and no others', async () => {
  const { user } = await render('/internal/phone-numbers?text=155500020', { as: 'provider' })
  const [first, second, third, fourth] = addedNumbers as [string, string, string, string]
  for (const number of [first, second, third]) await user.click(await findCheckbox(number))
  await screen.findByText('3 selected')
  // the selected rows of this page are not on the next one, but they exist
  await user.click(screen.getByRole('button', { name: 'Page 2' }))
  await waitFor(() => expect(screen.queryByLabelText(`Select ${first}`)).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Page 1' }))
  await findCheckbox(first)
  expect(screen.getByText('3 selected')).toBeTruthy()

  await deleteNumber(second)
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('2 selected')
  await user.click(screen.getByRole('button', { name: `Delete ${third}` }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await screen.findByText('1 selected')
  expect((await findCheckbox(first)).checked).toBe(true)
  expect((await findCheckbox(fourth)).checked).toBe(false)
})
