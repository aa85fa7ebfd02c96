import { useState } from 'react'
import { localValues } from '../../lib/storage'
import { useMaxWidth } from '../../ui/shell/use-window-width'

/** The widths that keep a row of the list readable. The style sheet also keeps space for the open row. */
export const listWidthRange = { min: 360, max: 900 }

const readStoredWidth = (): number | undefined => {
  const width = Number(localValues.eventListWidth.get() ?? '')
  return width >= listWidthRange.min && width <= listWidthRange.max ? width : undefined
}

/** The width of a list beside its open row: the default of the window, or what the user of this browser has chosen. */
export const useListWidth = () => {
  const [chosenWidth, setChosenWidth] = useState(readStoredWidth)
  // the same values as in the style sheet
  const defaultWidth = useMaxWidth(1300) ? 390 : 440
  return {
    width: chosenWidth ?? defaultWidth,
    style: chosenWidth === undefined ? {} : { '--list-width': `${chosenWidth}px` },
    onChange: setChosenWidth,
    onCommit: (width: number) => {
      if (width === defaultWidth) localValues.eventListWidth.clear()
      else localValues.eventListWidth.set(String(width))
      setChosenWidth(width === defaultWidth ? undefined : width)
    },
    onReset: () => {
      localValues.eventListWidth.clear()
      setChosenWidth(undefined)
    },
  }
}
