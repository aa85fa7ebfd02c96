import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

const createLabelPattern = (label: string) => new RegExp(`^${label}( \\*)?$`)
const fieldSelector = { selector: 'input, textarea, button[role=combobox]' }

/** Finds an input by its label: queries by role are slow in long forms. */
export const findInput = (label: string) =>
  screen.findByLabelText<HTMLInputElement>(createLabelPattern(label), fieldSelector)

/** The labels of a page's inputs, in order. */
export const readLabels = (container: HTMLElement): string[] =>
  [...container.querySelectorAll<HTMLInputElement>('input, button[role=combobox]')].flatMap(
    ({ labels }) => labels?.[0]?.textContent ?? [],
  )

/** The text of an input, or the selected option. */
export const readDisplayedText = (field: HTMLElement): string =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : (field.textContent ?? '')

export const expectValue = async (label: string, value: string) => {
  await findInput(label)
  await waitFor(() =>
    expect(readDisplayedText(screen.getByLabelText(createLabelPattern(label), fieldSelector))).toBe(value),
  )
}

/** The options of an open list. */
const findOptions = (combobox: HTMLElement, label: string) => {
  const list = document.getElementById(combobox.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  if (options.length === 0) throw new Error(`${label} has no options`)
  return options
}

/** Opens a list, returns the texts of its options and closes it. */
export const readOptionTexts = async (user: UserEvent, label: string) => {
  const combobox = await findInput(label)
  await user.click(combobox)
  const texts = (await waitFor(() => findOptions(combobox, label))).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return texts
}

/** Selects an option. The list may still be loading when its first options appear. */
export const selectOption = async (user: UserEvent, label: string, option: string) => {
  await user.click(await findInput(label))
  await clickOption(user, label, option)
}

/** Types into the search box of a list and selects an option. */
export const searchAndSelectOption = async (user: UserEvent, label: string, search: string, option: string) => {
  await user.click(await findInput(label))
  await user.keyboard(search)
  await clickOption(user, label, option)
}

const clickOption = async (user: UserEvent, label: string, option: string) => {
  const combobox = await findInput(label)
  const optionElement = await waitFor(() => {
    const matchingOption = findOptions(combobox, label).find(({ textContent }) => textContent === option)
    if (!matchingOption) throw new Error(`${label} does not offer ${option}`)
    return matchingOption
  })
  await user.click(optionElement)
}
