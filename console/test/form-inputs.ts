import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

const labelled = (label: string) => new RegExp(`^${label}( \\*)?$`)
const fieldSelector = { selector: 'input, textarea, button[role=combobox]' }

/** Finds an input by its label: queries by role are slow in long forms. */
export const input = (label: string) => screen.findByLabelText<HTMLInputElement>(labelled(label), fieldSelector)

/** The labels of a page's inputs, in order. */
export const labelsOf = (page: HTMLElement): string[] =>
  [...page.querySelectorAll<HTMLInputElement>('input, button[role=combobox]')].flatMap(
    ({ labels }) => labels?.[0]?.textContent ?? [],
  )

/** The text of an input, or the selected option. */
export const displayedText = (field: HTMLElement): string =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : (field.textContent ?? '')

export const expectValue = async (label: string, value: string) => {
  await input(label)
  await waitFor(() => expect(displayedText(screen.getByLabelText(labelled(label), fieldSelector))).toBe(value))
}

/** The options of an open list. */
const optionsOf = (box: HTMLElement, label: string) => {
  const list = document.getElementById(box.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  if (options.length === 0) throw new Error(`${label} has no options`)
  return options
}

/** Opens a list, returns the texts of its options and closes it. */
export const offered = async (user: UserEvent, label: string) => {
  const box = await input(label)
  await user.click(box)
  const words = (await waitFor(() => optionsOf(box, label))).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return words
}

/** Selects an option. The list may still be loading when its first options appear. */
export const choose = async (user: UserEvent, label: string, option: string) => {
  await user.click(await input(label))
  await clickOption(user, label, option)
}

/** Types into the search box of a list and selects an option. */
export const searchAndChoose = async (user: UserEvent, label: string, search: string, option: string) => {
  await user.click(await input(label))
  await user.keyboard(search)
  await clickOption(user, label, option)
}

const clickOption = async (user: UserEvent, label: string, option: string) => {
  const box = await input(label)
  const element = await waitFor(() => {
    const match = optionsOf(box, label).find(({ textContent }) => textContent === option)
    if (!match) throw new Error(`${label} does not offer ${option}`)
    return match
  })
  await user.click(element)
}
