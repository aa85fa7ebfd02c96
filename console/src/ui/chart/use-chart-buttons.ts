import { useState, type KeyboardEvent } from 'react'

const keySteps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

const focusNeighbor = (event: KeyboardEvent<HTMLButtonElement>) => {
  const buttons = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])]
  const next = buttons[buttons.indexOf(event.currentTarget) + (keySteps[event.key] ?? 0)]
  if (!(event.key in keySteps) || !next) return
  event.preventDefault()
  next.focus()
}

/**
 * The buttons of a chart, one for each value. One of them is a tab stop; the left and right arrow keys move between
 * them. `activeIndex`: the button under the pointer or with the focus.
 */
export const useChartButtons = (count: number) => {
  const [activeIndex, setActiveIndex] = useState<number>()
  const [tabStopIndex, setTabStopIndex] = useState(0)
  const getButtonProps = (index: number) => ({
    type: 'button' as const,
    tabIndex: index === Math.min(tabStopIndex, count - 1) ? 0 : -1,
    onKeyDown: focusNeighbor,
    onPointerEnter: () => setActiveIndex(index),
    onPointerLeave: () => setActiveIndex(undefined),
    onFocus: () => {
      setActiveIndex(index)
      setTabStopIndex(index)
    },
    onBlur: () => setActiveIndex(undefined),
  })
  return { activeIndex, getButtonProps }
}
