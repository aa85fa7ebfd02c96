import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

const labelled = (label: string) => new RegExp(`^${label}( \\*)?$`)
const typedIn = { selector: 'input, textarea' }

/** An input by its label: a long form has too many parts to ask each for its role. */
export const input = (label: string) => screen.findByLabelText<HTMLInputElement>(labelled(label), typedIn)

/** The labels of a page's inputs, in their order. */
export const labelsOf = (page: HTMLElement): string[] =>
  [...page.querySelectorAll('input')].flatMap(({ labels }) => labels?.[0]?.textContent ?? [])

/** Waits until an input shows a value. */
export const shows = async (label: string, value: string) => {
  await input(label)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(labelled(label), typedIn).value).toBe(value))
}

/** The options of a list that was opened. */
const optionsOf = (box: HTMLElement, label: string) => {
  const list = document.getElementById(box.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  if (options.length === 0) throw new Error(`${label} has no options`)
  return options
}

/** What a list offers. */
export const offered = async (user: UserEvent, label: string) => {
  const box = await input(label)
  await user.click(box)
  const words = (await waitFor(() => optionsOf(box, label))).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return words
}

/** Chooses from a list. What it offers may still be on its way when the first option is there. */
export const choose = async (user: UserEvent, label: string, option: string) => {
  const box = await input(label)
  await user.click(box)
  const found = await waitFor(() => {
    const wanted = optionsOf(box, label).find(({ textContent }) => textContent === option)
    if (!wanted) throw new Error(`${label} does not offer ${option}`)
    return wanted
  })
  await user.click(found)
}
