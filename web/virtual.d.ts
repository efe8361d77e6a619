declare module "virtual:lab-assets" {
  const paths: Record<import("./state/assets.js").AssetName, string>;
  export default paths;
}
