import type { Locator } from '@playwright/test'

/** The bounding box of a visible element. */
export const boxOf = async (element: Locator) => {
  const box = (await element.boundingBox())!
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Returns the pairs of children of an element that overlap, by their class names. */
export const findOverlappingChildren = (parent: Locator) =>
  parent.evaluate((element) => {
    const parts = [...element.children].map((part) => ({ name: part.className, box: part.getBoundingClientRect() }))
    return parts.flatMap((first, index) =>
      parts
        .slice(index + 1)
        .filter(
          ({ box }) =>
            box.left < first.box.right - 1 &&
            box.right > first.box.left + 1 &&
            box.top < first.box.bottom - 1 &&
            box.bottom > first.box.top + 1,
        )
        .map((second) => `${first.name} and ${second.name}`),
    )
  })
