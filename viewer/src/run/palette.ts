// Materials by the name of their CSS colour: they change with the theme, all at once.

import { Color, DoubleSide, LineBasicMaterial, MeshBasicMaterial, MeshLambertMaterial, type Object3D } from 'three';
import { colour, on_theme_change } from '../theme';

type Material = LineBasicMaterial | MeshBasicMaterial | MeshLambertMaterial;

/** What lies over what in a planar scene, where depth says nothing. */
export const layers = { grid: 0, ground: 1, trail: 2, shape: 3, edge: 4, bone: 5, joint: 6, cone: 7, contact: 8, arrow: 9 };

export class Palette {
  private readonly materials = new Map<string, { material: Material; name: string }>();

  constructor(private readonly planar: boolean) {
    on_theme_change(() => {
      for (const { material, name } of this.materials.values()) material.color.set(new Color(colour(name)));
    });
  }

  /** A surface, shaded in space and flat in the plane. */
  surface(name: string, opacity = 1): Material {
    return this.get(`surface ${name} ${opacity}`, name, () => {
      const options = { side: DoubleSide, transparent: opacity < 1 || this.planar, opacity, depthWrite: opacity === 1 };
      return this.planar
        ? new MeshBasicMaterial({ ...options, depthTest: false })
        : new MeshLambertMaterial({ ...options, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    });
  }

  /** One colour without shading: markers and arrows. They may show through bodies, as contacts lie inside them. */
  flat(name: string, opacity = 1): Material {
    return this.get(`flat ${name} ${opacity}`, name, () => {
      return new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity, depthTest: false, depthWrite: false });
    });
  }

  line(name: string, opacity = 1): Material {
    return this.get(`line ${name} ${opacity}`, name, () => {
      return new LineBasicMaterial({ transparent: opacity < 1 || this.planar, opacity, depthTest: !this.planar });
    });
  }

  private get(key: string, name: string, make: () => Material): Material {
    let entry = this.materials.get(key);
    if (!entry) {
      entry = { material: make(), name };
      entry.material.color.set(new Color(colour(name)));
      this.materials.set(key, entry);
    }
    return entry.material;
  }
}

export function on_layer<T extends Object3D>(object: T, layer: number): T {
  object.traverse((part) => {
    part.renderOrder = layer;
  });
  return object;
}
