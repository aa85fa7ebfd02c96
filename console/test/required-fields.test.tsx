import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

const { render } = useBackend()

/** Compiles the form before the tests, so that they do not time out. */
beforeAll(async () => {
  await Promise.all(screens.filter(({ path }) => path === '/internal/applications/add').map(({ load }) => load()))
})

const labels = ['Application name', 'Account', 'Calling webhook', 'Call status webhook']
const requiredMessage = (label: string) => `${label} is required.`

/** Opens the form for a new application, with the focus in its first field. */
const openAddForm = async () => {
  const { user } = await render('/internal/applications/add', { as: 'north' })
  const nameField = await screen.findByLabelText<HTMLInputElement>(/^Application name/)
  await waitFor(() => expect(document.activeElement).toBe(nameField))
  return { user, nameField }
}

/** Long enough for the form library to validate the field that lost the focus. */
const waitForValidation = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('an empty required field', () => {
  it('is not marked when the focus leaves it untouched, nor after another field has changed', async () => {
    const { user, nameField } = await openAddForm()
    await user.click(screen.getByRole('textbox', { name: /^Calling webhook/ }))
    await user.click(screen.getByRole('heading', { level: 1 }))
    await user.click(screen.getByRole('combobox', { name: 'Account' }))
    await user.keyboard('{Escape}')
    await user.tab()
    await waitForValidation()
    for (const label of labels) expect(screen.queryByText(requiredMessage(label))).toBeNull()
    await user.type(nameField, 'x')
    await user.tab()
    await waitForValidation()
    for (const label of labels) expect(screen.queryByText(requiredMessage(label))).toBeNull()
  })

  it('is marked when the focus leaves it after it was changed', async () => {
    const { user, nameField } = await openAddForm()
    await user.type(nameField, 'x')
    await user.clear(nameField)
    expect(screen.queryByText(requiredMessage('Application name'))).toBeNull()
    await user.tab()
    expect(await screen.findByText(requiredMessage('Application name'))).toBeTruthy()
    expect(screen.queryByText(requiredMessage('Calling webhook'))).toBeNull()
  })

  it('is marked as soon as it is emptied if the focus has left it before, and by a save', async () => {
    const { user, nameField } = await openAddForm()
    await user.tab()
    await user.type(nameField, 'x')
    await user.clear(nameField)
    expect(await screen.findByText(requiredMessage('Application name'))).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    for (const label of labels) expect(await screen.findByText(requiredMessage(label))).toBeTruthy()
  })
})

describe('the button with the number of fields with errors', () => {
  it('moves the focus to the next field with an error, and from the last to the first', async () => {
    const { user, nameField } = await openAddForm()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const errorCountButton = await screen.findByRole('button', { name: '4 fields need attention' })
    await waitFor(() => expect(document.activeElement).toBe(nameField))
    const focusedLabel = () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent.replace(' *', '')
    const visitedLabels: unknown[] = []
    for (let count = 0; count < 4; count += 1) {
      await user.click(errorCountButton)
      visitedLabels.push(focusedLabel())
    }
    expect(visitedLabels).toEqual([...labels.slice(1), ...labels.slice(0, 1)])
    // it continues from the focused field, not from the field of the last press
    await user.click(screen.getByRole('textbox', { name: /^Call status webhook/ }))
    await user.click(errorCountButton)
    expect(document.activeElement).toBe(nameField)
  })
})
